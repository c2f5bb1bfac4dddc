// Radix sort of pairs, each digit in one pass over the data: all digits' histograms are counted first, and a block's place
// for each digit comes from looking back over the blocks before it, a digit a thread. Within a warp, equal digits are
// matched, and the first lane of each counts for all.

#define DIGITS 64
#define BITS 6
#define SIZE 128
#define EACH 4

__device__ unsigned long long slots[3][32][DIGITS]; // pass, block, digit: status in the upper half, count below
__device__ unsigned starts[3][DIGITS], tickets[3];

extern "C" __global__ void histograms(const unsigned *keys, int n)
{
    __shared__ unsigned counts[3][DIGITS];
    for (int i = threadIdx.x; i < 3 * DIGITS; i += blockDim.x)
        (&counts[0][0])[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        for (int pass = 0; pass < 3; pass++)
            atomicAdd(&counts[pass][keys[i] >> (pass * BITS) & (DIGITS - 1)], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 3 * DIGITS; i += blockDim.x)
        atomicAdd(&(&starts[0][0])[i], (&counts[0][0])[i]);
}

// Two warps, one of the three histograms a block: counts become where each digit starts.
extern "C" __global__ void begin()
{
    __shared__ unsigned lower;
    unsigned own = starts[blockIdx.x][threadIdx.x], sum = own;
    for (int d = 1; d < 32; d *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, d);
        if (threadIdx.x % 32 >= d)
            sum += left;
    }
    if (threadIdx.x == 31)
        lower = sum;
    __syncthreads();
    starts[blockIdx.x][threadIdx.x] = sum - own + (threadIdx.x >= 32 ? lower : 0);
}

__device__ unsigned look_back(int pass, int block, int digit, unsigned own)
{
    volatile unsigned long long *mine = &slots[pass][block][digit];
    *mine = (block == 0 ? 2ull : 1ull) << 32 | own;
    unsigned before = 0;
    for (int b = block - 1; b >= 0; b--) {
        unsigned long long seen;
        do
            seen = *(volatile unsigned long long *)&slots[pass][b][digit];
        while (seen >> 32 == 0);
        before += (unsigned)seen;
        if (seen >> 32 == 2)
            break;
    }
    *mine = 2ull << 32 | (before + own);
    return before;
}

extern "C" __global__ void __launch_bounds__(SIZE) scatter(const unsigned *keys, const int *values, unsigned *to_keys, int *to_values, int n, int pass)
{
    __shared__ unsigned counts[SIZE / 32][DIGITS], places[DIGITS], block;
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        block = atomicAdd(&tickets[pass], 1u);
    for (int i = threadIdx.x; i < SIZE / 32 * DIGITS; i += SIZE)
        (&counts[0][0])[i] = 0;
    __syncthreads();

    // A warp's keys lie together, a row of 32 after the other, so that ranks follow the order of the data.
    unsigned held[EACH], rank[EACH];
    int first = block * SIZE * EACH + warp * 32 * EACH + lane;
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        int i = first + e * 32;
        unsigned present = __ballot_sync(~0u, i < n);
        if (i < n) {
            held[e] = keys[i];
            unsigned digit = held[e] >> (pass * BITS) & (DIGITS - 1);
            unsigned same = __match_any_sync(present, digit), leader = __ffs(same) - 1, before = 0;
            if (lane == leader) {
                before = counts[warp][digit];
                counts[warp][digit] = before + __popc(same);
            }
            rank[e] = __shfl_sync(same, before, leader) + __popc(same & ((1u << lane) - 1));
        }
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x < DIGITS) {
        unsigned sum = 0;
        for (int w = 0; w < SIZE / 32; w++) {
            unsigned own = counts[w][threadIdx.x];
            counts[w][threadIdx.x] = sum;
            sum += own;
        }
        places[threadIdx.x] = starts[pass][threadIdx.x] + look_back(pass, block, threadIdx.x, sum);
    }
    __syncthreads();
#pragma unroll
    for (int e = 0; e < EACH; e++)
        if (first + e * 32 < n) {
            unsigned digit = held[e] >> (pass * BITS) & (DIGITS - 1), to = places[digit] + counts[warp][digit] + rank[e];
            to_keys[to] = held[e];
            to_values[to] = values[first + e * 32];
        }
}
