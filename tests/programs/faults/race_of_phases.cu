#include <cuda/barrier>

// Turns a block's values round, three times. All wait before they read, and nobody waits before the next round writes.
extern "C" __global__ void turn(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    __shared__ int tile[128];
    int t = threadIdx.x, value = in[t];
    if (t == 0)
        init(&ready, 128);
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        tile[t] = value; // fault
        ready.arrive_and_wait();
        value = tile[127 - t] + round; // fault
    }
    out[t] = value;
}
