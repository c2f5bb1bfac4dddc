__global__ void sum(const float *data, float *out, int n)
{
    float total;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        total += data[i];
    atomicAdd(out, total);
}
