__global__ void apply(float *data, int n)
{
    int i = (blockIdx.x * blockDim.x) + threadIdx.x);
    if (i < n))
        data[i] = 1.0f;
}
