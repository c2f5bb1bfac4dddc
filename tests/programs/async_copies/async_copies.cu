// Copies to shared memory of libcu++: cuda::memcpy_async with a barrier of the block, with the pipeline of one thread, and
// with a pipeline of the block in which some threads produce and others consume.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
using barrier_t = cuda::barrier<cuda::thread_scope_block>;

// Each tile waits for the barrier's next phase.
extern "C" __global__ void with_barrier(const int *in, int *out, int tiles)
{
    __shared__ alignas(128) int tile[96];
    __shared__ barrier_t barrier;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&barrier, block.size());
    block.sync();
    int sum = 0;
    for (int k = 0; k < tiles; k++) {
        cuda::memcpy_async(block, tile, in + k * 96, cuda::aligned_size_t<16>(sizeof(tile)), barrier);
        barrier.arrive_and_wait();
        sum = sum * 3 + tile[(threadIdx.x * 5 + k) % 96];
        block.sync();
    }
    out[threadIdx.x] = sum;
}

// Each thread waits for its own copies alone.
extern "C" __global__ void of_a_thread(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int stage[2][96 * 4];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, sum = 0;
    for (int fetched = 0, k = 0; k < tiles; k++) {
        for (; fetched < tiles && fetched < k + 2; fetched++) {
            pipe.producer_acquire();
            const int *from = in + (fetched * 96 + t) * 4 % 960;
            cuda::memcpy_async(&stage[fetched % 2][4 * t], from, cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        int *mine = &stage[k % 2][4 * t];
        sum = sum * 5 + mine[0] - mine[1] * 2 + mine[2] * 7 + mine[3];
        pipe.consumer_release();
    }
    out[t] = sum;
}

// The first warp copies, the others compute.
extern "C" __global__ void of_the_block(const int *in, int *out, int tiles)
{
    constexpr int stages = 2;
    __shared__ alignas(16) int stage[stages][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int k = 0; k < tiles; k++) {
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[k % stages][2 * threadIdx.x], in + k * 64 + 2 * threadIdx.x, cuda::aligned_size_t<8>(8), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum = sum * 3 + stage[k % stages][(threadIdx.x * 7 + k) % 64];
            pipe.consumer_release();
        }
    }
    if (!produces)
        out[threadIdx.x - 32] = sum;
}
