// Sums into shared memory that nobody has set to zero.
extern "C" __global__ void count(const int *in, int *out)
{
    __shared__ int bins[4];
    bins[threadIdx.x] += in[threadIdx.x]; // fault
    __syncthreads();
    out[threadIdx.x] = bins[3 - threadIdx.x];
}
