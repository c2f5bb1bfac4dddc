__global__ void inner(float *data, int n)
{
    int i = threadIdx.x;
    if (0 < i < n - 1)
        data[i] = 0.0f;
}
