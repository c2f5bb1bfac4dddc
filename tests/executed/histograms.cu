extern "C" __global__ void global_bins(const unsigned char *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i]], 1);
}
extern "C" __global__ void shared_bins(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    if (mine[threadIdx.x] > 0)
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
