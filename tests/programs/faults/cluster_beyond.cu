// The shared memory of a block that the cluster does not have.
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) beyond(int *out)
{
    __shared__ int words[32];
    auto cluster = cooperative_groups::this_cluster();
    words[threadIdx.x] = threadIdx.x;
    cluster.sync();
    int rank = cluster.block_rank() == 0 ? 1 : 2;
    out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(words, rank)[threadIdx.x]; // fault
    cluster.sync();
}
