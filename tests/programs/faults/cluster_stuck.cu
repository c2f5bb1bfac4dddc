// A part of a block waits for the cluster, the rest for the block.
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) wait(int *out)
{
    auto cluster = cooperative_groups::this_cluster();
    if (blockIdx.x == 1 && threadIdx.x >= 32)
        __syncthreads(); // fault
    cluster.sync();
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}
