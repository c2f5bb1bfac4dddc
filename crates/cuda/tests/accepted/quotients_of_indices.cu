// Groups of as many threads as a block has come to a barrier together.
#define L 128
__global__ void k(int *p, int n, int rows)
{
    __shared__ int s[L];
    int pos = threadIdx.x;
    while (pos / L * L < n) {
        s[threadIdx.x] = p[pos % n];
        __syncthreads();
        p[pos % n] = s[L - 1 - threadIdx.x];
        __syncthreads();
        pos += L;
    }
    for (int i = threadIdx.x; i - i % L < n; i += L) __syncthreads();
    for (int i = threadIdx.x; (i & ~127) < n; i += L) __syncthreads();
    for (unsigned i = threadIdx.x; (i >> 7) < n; i += L) __syncthreads();
    for (int i = threadIdx.x; i / blockDim.x < n; i += blockDim.x) __syncthreads();
}
