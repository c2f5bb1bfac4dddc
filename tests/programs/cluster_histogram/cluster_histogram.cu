// A histogram whose bins lie in the shared memory of all blocks of a cluster: each block holds a part of them, and every
// thread counts where the bin is (the launch says how large clusters are).
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n, int per_block)
{
    extern __shared__ unsigned part[];
    auto cluster = cg::this_cluster();
    for (int b = threadIdx.x; b < per_block; b += blockDim.x)
        part[b] = 0;
    cluster.sync();
    int all = per_block * cluster.num_blocks();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned value = (in[i] * 2654435761u >> 16) % all;
        unsigned *there = cluster.map_shared_rank(part, value / per_block);
        atomicAdd(there + value % per_block, 1);
    }
    cluster.sync();
    for (int b = threadIdx.x; b < per_block; b += blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * per_block + b], part[b]);
}

// Which block is where, in clusters of two dimensions.
extern "C" __global__ void places(int *out)
{
    auto cluster = cg::this_cluster();
    int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    dim3 in_cluster = cluster.block_index(), size = cluster.dim_blocks();
    if (threadIdx.x == 0) {
        unsigned cx, cy, nx, ny;
        asm("mov.u32 %0, %%clusterid.x;" : "=r"(cx));
        asm("mov.u32 %0, %%clusterid.y;" : "=r"(cy));
        asm("mov.u32 %0, %%nclusterid.x;" : "=r"(nx));
        asm("mov.u32 %0, %%nclusterid.y;" : "=r"(ny));
        int *mine = out + 8 * b;
        mine[0] = cluster.block_rank();
        mine[1] = in_cluster.x * 10 + in_cluster.y;
        mine[2] = size.x * 10 + size.y;
        mine[3] = cluster.num_blocks();
        mine[4] = cx * 10 + cy;
        mine[5] = nx * 10 + ny;
        mine[6] = cluster.num_threads();
        mine[7] = cluster.thread_rank();
    }
}
