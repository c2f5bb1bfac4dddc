__global__ void half_of(float *data, int n)
{
    float middle = n / 2;
    data[middle] = 0.0f;
}
