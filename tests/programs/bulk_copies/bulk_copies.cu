// Copies of many bytes by one thread (cp.async.bulk): into shared memory, counted by a barrier of the block that expects
// bytes besides threads, and back to global memory in groups.
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
using barrier_t = cuda::barrier<cuda::thread_scope_block>;

#define TILE 256

// The barrier of libcu++, and its copy.
extern "C" __global__ void scale(const int *in, int *out, int tiles)
{
    __shared__ alignas(128) int tile[TILE];
    __shared__ barrier_t barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    for (int k = blockIdx.x; k < tiles; k += gridDim.x) {
        barrier_t::arrival_token token;
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(tile, in + k * TILE, cuda::aligned_size_t<16>(sizeof(tile)), barrier);
            token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof(tile));
        } else
            token = barrier.arrive();
        barrier.wait(std::move(token));
        for (int n = threadIdx.x; n < TILE; n += blockDim.x)
            tile[n] = tile[n] * 3 + k;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + k * TILE, tile, sizeof(tile));
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
}

// Two stages by hand: one thread keeps the copies going, and waits are by parity.
extern "C" __global__ void stages(const int *in, int *out, int tiles)
{
    __shared__ alignas(128) int stage[2][TILE];
    __shared__ uint64_t full[2];
    int t = threadIdx.x;
    auto fetch = [&](int k) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[k % 2], sizeof(stage[0]));
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[k % 2], in + k * TILE, sizeof(stage[0]), &full[k % 2]);
    };
    if (t == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        fetch(0);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < tiles; k++) {
        if (t == 0 && k + 1 < tiles)
            fetch(k + 1);
        while (!ptx::mbarrier_try_wait_parity(&full[k % 2], k / 2 & 1))
            ;
        for (int n = 0; n < TILE / 64; n++)
            sum = sum * 3 + stage[k % 2][(t * 4 + n * 7 + k) % TILE];
        __syncthreads();
    }
    out[t] = sum;
}
