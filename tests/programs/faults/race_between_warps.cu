// No barrier between what one warp writes and another reads. Which line tells of it depends on which warp comes first.
extern "C" __global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[128];
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x]; // fault
    out[threadIdx.x] = tile[127 - threadIdx.x]; // fault
}
