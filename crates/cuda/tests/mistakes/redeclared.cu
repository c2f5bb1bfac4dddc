__global__ void sum(float *data, int n)
{
    float value = data[0];
    int value = 1;
    int n = 2;
    data[0] = value + n;
}
