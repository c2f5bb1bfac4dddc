__global__ void half(float *data, int n)
{
    int i = threadIdx.x;
    data[i] = 1 / 2 * data[i];
    data[i] = data[i] + 1 / n;
}
