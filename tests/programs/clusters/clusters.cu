// Clusters of blocks that read and count in each other's shared memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4, 1, 1) ring(const int *in, int *out)
{
    __shared__ int mine[48];
    __shared__ int count;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    mine[t] = in[blockIdx.x * 48 + t];
    if (t == 0)
        count = 0;
    cluster.sync();
    int *next = cluster.map_shared_rank(mine, (rank + 1) % cluster.num_blocks());
    int v = next[47 - t];
    if (v % 3 == 0)
        atomicAdd(cluster.map_shared_rank(&count, 0), 1);
    cluster.sync();
    out[blockIdx.x * 48 + t] = v * 100 + (rank == 0 ? count : rank);
}
