// A matrix transposed three ways: straight, through a tile in shared memory, and through one padded against bank conflicts.
#ifdef __clang__
#include "../clang.h"
#endif

#define TILE 32
#define ROWS 8

extern "C" __global__ void naive(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += ROWS) {
        int y = blockIdx.y * TILE + j;
        if (x < width && y < height)
            out[x * height + y] = in[y * width + x];
    }
}

template <int PAD>
__device__ __forceinline__ void through_tile(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        int y = blockIdx.y * TILE + threadIdx.y + j;
        if (x < width && y < height)
            tile[threadIdx.y + j][threadIdx.x] = in[y * width + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        int y = blockIdx.x * TILE + threadIdx.y + j;
        if (x < height && y < width)
            out[y * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

extern "C" __global__ void tiled(const float *in, float *out, int width, int height)
{
    through_tile<0>(in, out, width, height);
}

extern "C" __global__ void padded(const float *in, float *out, int width, int height)
{
    through_tile<1>(in, out, width, height);
}
