// An mbarrier that expects one thread more than ever arrive.
#include <cuda/barrier>

extern "C" __global__ void wait(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x + 1);
    __syncthreads();
    barrier.arrive_and_wait(); // fault
    out[threadIdx.x] = 1;
}
