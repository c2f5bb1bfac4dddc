// Sums and maxima three ways: a tree in shared memory, shuffles within a warp, and one launch over the whole grid
// in which the block that finishes last adds the blocks' sums.
#ifdef __clang__
#include "../clang.h"
#endif

__device__ unsigned finished; // blocks; atomicInc wraps it to 0 for the next launch

extern "C" __global__ void block_sum(const int *in, int *out, int n)
{
    __shared__ int tree[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tree[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            tree[threadIdx.x] += tree[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = tree[0];
}

__device__ int warp_sum(int v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

extern "C" __global__ void warp_sums(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    v = warp_sum(v);
    if ((threadIdx.x & 31) == 0)
        out[i / 32] = v;
}

__device__ float warp_max(float v)
{
#pragma unroll
    for (int d = 16; d > 0; d >>= 1)
        v = fmaxf(v, __shfl_down_sync(0xffffffffu, v, d));
    return v;
}

extern "C" __global__ void float_max(const float *in, float *out, int n)
{
    __shared__ float warps[32];
    float best = -1e30f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        best = fmaxf(best, in[i]);
    best = warp_max(best);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        warps[warp] = best;
    __syncthreads();
    if (warp == 0) {
        best = lane < blockDim.x / 32 ? warps[lane] : -1e30f;
        best = warp_max(best);
        if (lane == 0)
            out[blockIdx.x] = best;
    }
}

// out[0]: the sum; out[1]: how many blocks believed to be the last (1).
extern "C" __global__ void grid_sum(const int *in, volatile int *partial, int *out, int n)
{
    __shared__ int sum;
    __shared__ bool last;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += in[i];
    mine = warp_sum(mine);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        unsigned before = atomicInc(&finished, gridDim.x - 1);
        last = before == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    int total = 0;
    for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        total += partial[b];
    total = warp_sum(total);
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    if ((threadIdx.x & 31) == 0)
        atomicAdd(&sum, total);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = sum;
        atomicAdd(&out[1], 1);
    }
}
