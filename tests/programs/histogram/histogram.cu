// Histograms with atomics: in shared memory, then added up in global memory; 64-bit counts; extremes; a sum of floats
// whose every partial sum is exact.
#ifdef __clang__
#include "../clang.h"
#endif

__device__ unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

extern "C" __global__ void bytes(const unsigned *in, int *bins, int n)
{
    __shared__ int local[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        unsigned word = hash(in[i]);
        atomicAdd(&local[word & 255], 1);
        atomicAdd(&local[word >> 8 & 255], 1);
        atomicAdd(&local[word >> 16 & 255], 1);
        atomicAdd(&local[word >> 24], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (local[b])
            atomicAdd(&bins[b], local[b]);
}

// wide[b]: the sum of the hashes that end in b, as 64 bits; few bins, so that many lanes of a warp meet in one.
extern "C" __global__ void wide(const unsigned *in, unsigned long long *sums, int *least, int *most, float *halves, unsigned *extremes, int n)
{
    __shared__ unsigned long long local[8];
    if (threadIdx.x < 8)
        local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned h = hash(in[i]);
        atomicAdd(&local[h & 7], (unsigned long long)h << 8);
        atomicMin(least, (int)h);
        atomicMax(most, (int)h);
        atomicAdd(&halves[h & 3], 0.5f * (h >> 28));
#ifndef __clang__ // by the instruction that returns nothing
        asm volatile("red.global.max.u32 [%0], %1;" : : "l"(__cvta_generic_to_global(extremes)), "r"(h) : "memory");
        asm volatile("red.global.and.b32 [%0], %1;" : : "l"(__cvta_generic_to_global(extremes + 1)), "r"(h | 0xff00) : "memory");
        asm volatile("red.add.u32 [%0], %1;" : : "l"(extremes + 2), "r"(h) : "memory");
#else
        __nvvm_atom_max_gen_ui(extremes, h);
        __sync_fetch_and_and(extremes + 1, h | 0xff00);
        atomicAdd(extremes + 2, h);
#endif
    }
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(&sums[threadIdx.x], local[threadIdx.x]);
}
