// A histogram whose bins are spread over the shared memory of a cluster of two blocks: each has half of them, and adds to its
// own and to its neighbour's.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2) neighbour(const unsigned *keys, unsigned *counts, int n, int bins) {
    extern __shared__ unsigned mine[];
    cg::cluster_group cluster = cg::this_cluster();
    int half = bins / 2;
    for (int b = threadIdx.x; b < half; b += blockDim.x) mine[b] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int bin = keys[i] % bins;
        unsigned *there = cluster.map_shared_rank(mine, bin / half);
        atomicAdd(&there[bin % half], 1u);
    }
    cluster.sync();
    for (int b = threadIdx.x; b < half; b += blockDim.x)
        if (mine[b]) atomicAdd(&counts[half * cluster.block_rank() + b], mine[b]);
}
