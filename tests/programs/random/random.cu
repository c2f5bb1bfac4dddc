// Random numbers: xorshift, a 64-bit permuted congruential generator, Philox 4 × 32, and a count of darts in a circle.
#ifdef __clang__
#include "../clang.h"
#endif
typedef unsigned long long u64;

__device__ unsigned xorshift(unsigned &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

__device__ unsigned pcg(u64 &state)
{
    u64 old = state;
    state = old * 6364136223846793005ull + 1442695040888963407ull;
    unsigned shifted = (unsigned)(((old >> 18) ^ old) >> 27), turn = (unsigned)(old >> 59);
    return shifted >> turn | shifted << (-turn & 31);
}

__device__ uint4 philox(uint4 counter, unsigned key0, unsigned key1)
{
#pragma unroll
    for (int round = 0; round < 10; round++) {
        u64 a = (u64)0xd2511f53u * counter.x, b = (u64)0xcd9e8d57u * counter.z;
        counter = make_uint4((unsigned)(b >> 32) ^ counter.y ^ key0, (unsigned)b, (unsigned)(a >> 32) ^ counter.w ^ key1, (unsigned)a);
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    return counter;
}

extern "C" __global__ void streams(unsigned *out, u64 seed, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = (unsigned)seed + i * 747796405u | 1;
    u64 b = seed ^ (u64)i << 32;
    unsigned x = 0, y = 0;
    for (int k = 0; k < n; k++) {
        x += xorshift(a);
        y ^= pcg(b) + k;
    }
    uint4 p = philox(make_uint4(i, 0, 0, 1), (unsigned)seed, (unsigned)(seed >> 32));
    unsigned *mine = out + 6 * i;
    mine[0] = x, mine[1] = y, mine[2] = p.x, mine[3] = p.y, mine[4] = p.z, mine[5] = p.w;
}

extern "C" __global__ void darts(unsigned long long *inside, int n)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u | 1;
    unsigned hits = 0;
    for (int k = 0; k < n; k++) {
        int x = (int)(xorshift(state) >> 8) - (1 << 23), y = (int)(xorshift(state) >> 8) - (1 << 23);
        hits += (long long)x * x + (long long)y * y < 1ll << 46;
    }
    atomicAdd(inside, (unsigned long long)hits);
}
