// One launch in place of several: the blocks of a cooperative launch meet between the passes of a reduction, and between the
// steps of a wave that runs through a buffer in two places.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void reduce(const int *in, int *partial, int *out, int n)
{
    __shared__ int sums[128];
    auto grid = cg::this_grid();
    auto block = cg::this_thread_block();
    int sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        sum += in[i] ^ i;
    sums[threadIdx.x] = sum;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        block.sync();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
    grid.sync();
    if (grid.thread_rank() == 0) {
        int all = 0;
        for (int b = 0; b < gridDim.x; b++)
            all += partial[b];
        out[0] = all;
    }
    grid.sync();
    // Everybody sees what one block has found.
    if (threadIdx.x == 1)
        out[1 + blockIdx.x] = out[0] + blockIdx.x;
}

extern "C" __global__ void wave(int *a, int *b, int n, int steps)
{
    auto grid = cg::this_grid();
    for (int s = 0; s < steps; s++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size())
            b[i] = a[(i + 1) % n] - a[(i + n - 1) % n] + s;
        grid.sync();
        int *other = a;
        a = b;
        b = other;
    }
}
