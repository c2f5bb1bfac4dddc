// Conway's game of life on a torus: a byte a cell, and 32 cells a word.
#ifdef __clang__
#include "../clang.h"
#endif

extern "C" __global__ void seed(unsigned char *cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned h = i * 2654435761u;
        cells[i] = (h ^ h >> 15) % 3 == 0;
    }
}

extern "C" __global__ void generation(const unsigned char *before, unsigned char *after, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                alive += before[(y + dy + height) % height * width + (x + dx + width) % width];
    after[y * width + x] = alive == 3 || (alive == 2 && before[y * width + x]);
}

// A warp a world of 32 × 32 cells, a row a lane; neighbours are counted bit by bit with adders.
extern "C" __global__ void words(unsigned *world, int generations)
{
    unsigned row = threadIdx.x == 3 ? 0x700 : threadIdx.x == 2 ? 0x400 : threadIdx.x == 1 ? 0x200 : 0;
    row ^= blockIdx.x * 0x00ff1100 * (threadIdx.x % 5 == 0);
    for (int g = 0; g < generations; g++) {
        unsigned above = __shfl_sync(0xffffffffu, row, (threadIdx.x + 31) & 31);
        unsigned below = __shfl_sync(0xffffffffu, row, (threadIdx.x + 1) & 31);
        unsigned ones = 0, twos = 0, fours = 0;
        unsigned around[3] = {above, row, below};
#pragma unroll
        for (int k = 0; k < 3; k++) {
            unsigned sides[3] = {around[k] << 1 | around[k] >> 31, around[k] >> 1 | around[k] << 31, k == 1 ? 0 : around[k]};
#pragma unroll
            for (int s = 0; s < 3; s++) {
                unsigned carry = ones & sides[s];
                ones ^= sides[s];
                fours |= twos & carry;
                twos ^= carry;
            }
        }
        row = twos & ~fours & (ones | row);
    }
    world[blockIdx.x * 32 + threadIdx.x] = row;
}
