// What blocks of a cluster send each other without its barrier: stores that complete later (st.async), copies of a tile to
// another block and to all of them, arrivals at another block's object, and addresses that tell whose memory they are of.
#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

#define TILE 64

extern "C" __global__ void __cluster_dims__(4, 1, 1) around(const int *in, int *out, int rounds)
{
    __shared__ alignas(16) int own[TILE], given[2][TILE];
    __shared__ uint64_t came[2];
    auto cluster = cg::this_cluster();
    int rank = cluster.block_rank(), next = (rank + 1) % 4, t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&came[0], 1);
        ptx::mbarrier_init(&came[1], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    own[t] = in[blockIdx.x * TILE + t];
    cluster.sync();
    for (int r = 0; r < rounds; r++) {
        // One round by a copy of the tile, the next one by a store of each thread.
        int k = r & 1;
        if (t == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &came[k], sizeof(own));
        int *there = cluster.map_shared_rank(given[k], next);
        uint64_t *object = cluster.map_shared_rank(&came[k], next);
        if (k == 0) {
            ptx::fence_proxy_async(ptx::space_shared);
            __syncthreads();
            if (t == 0)
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, there, own, sizeof(own), object);
        } else
            ptx::st_async(there + t, own[t], object);
        while (!ptx::mbarrier_try_wait_parity(&came[k], r / 2 & 1))
            ;
        int v = given[k][t] * 3 + r + rank;
        // Nobody overwrites what somebody has yet to read.
        cluster.sync();
        own[t] = v;
        __syncthreads();
    }
    out[blockIdx.x * TILE + t] = own[t];
}

// A copy to the same place of each block that the mask names.
__device__ void everywhere(void *to, const void *from, int bytes, uint64_t *object, unsigned short mask)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                 ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes),
                 "r"((unsigned)__cvta_generic_to_shared(object)), "h"(mask) : "memory");
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) to_all(const int *in, int *out)
{
    __shared__ alignas(16) int tile[2][TILE];
    __shared__ uint64_t came, consumed;
    auto cluster = cg::this_cluster();
    int rank = cluster.block_rank(), t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&came, 1);
        ptx::mbarrier_init(&consumed, 2 * TILE);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &came, sizeof(tile));
    }
    cluster.sync();
    if (t == 0)
        everywhere(tile[rank], in + (2 * (blockIdx.x / 2) + rank) * TILE, sizeof(tile[0]), &came, 3);
    while (!ptx::mbarrier_try_wait_parity(&came, 0))
        ;
    int v = tile[0][t] * 2 - tile[1][TILE - 1 - t];
    // Each thread tells both blocks that it has read.
    for (int r = 0; r < 2; r++)
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, cluster.map_shared_rank(&consumed, r));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &consumed, 0))
        ;
    tile[rank][t] = v;
    __syncthreads();
    int other = tile[rank][(t + 1) % TILE];
    int mine = cluster.query_shared_rank(&tile[0][0]) * 10 + cluster.query_shared_rank(cluster.map_shared_rank(&tile[0][0], rank ^ 1));
    int shared = __isShared(cluster.map_shared_rank(&tile[0][0], rank ^ 1));
    out[blockIdx.x * TILE + t] = (other * 100 + mine) * 2 + (t == 0 && shared > 1);
    cluster.sync();
}
