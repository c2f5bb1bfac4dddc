#define BINS 10
extern "C" __global__ void hist(const float *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[BINS];
    if (threadIdx.x < BINS)
        mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int b = (int)(in[i] * BINS);
        if (b >= 0 && b < BINS)
            atomicAdd(&mine[b], 1u);
    }
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
