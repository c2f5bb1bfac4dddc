// Two threads of different warps write different values to one word.
extern "C" __global__ void last_one(int *out)
{
    __shared__ int winner;
    if (threadIdx.x % 32 == 0)
        winner = threadIdx.x; // fault
    __syncthreads();
    out[threadIdx.x] = winner;
}
