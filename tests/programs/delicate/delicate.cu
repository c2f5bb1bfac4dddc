// Right programs that a check may well take for wrong ones: barriers that parts of a block have for themselves, one side
// that waits and one that only arrives, tiles that are not full, structs with members that nobody has given a value.
// The checks must find nothing here.
#include <cuda_fp16.h>
#include <mma.h>

__device__ void wait_at(int name, int threads) { asm volatile("barrier.sync %0, %1;" ::"r"(name), "r"(threads) : "memory"); }
__device__ void arrive_at(int name, int threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(name), "r"(threads) : "memory");
}

// Two warps fill two buffers by turns, two warps empty them: a barrier says that a buffer is full, another that it is empty.
extern "C" __global__ void by_turns(const int *in, int *out)
{
    __shared__ int buffer[2][64];
    int t = threadIdx.x, sum = 0;
    for (int round = 0; round < 7; round++) {
        int b = round % 2;
        if (t < 64) {
            if (round >= 2)
                wait_at(3 + b, 128);
            buffer[b][t] = in[round + t];
            arrive_at(1 + b, 128);
        } else {
            wait_at(1 + b, 128);
            sum = 3 * sum + buffer[b][127 - t];
            if (round + 2 < 7)
                arrive_at(3 + b, 128);
        }
    }
    out[t] = sum;
}

// The two halves of a block have a barrier each, and one has more rounds than the other.
extern "C" __global__ void halves(const int *in, int *out)
{
    __shared__ int tile[128];
    int t = threadIdx.x, half = t / 64, value = in[t];
    for (int round = 0; round < 2 + 3 * half; round++) {
        tile[t] = value;
        wait_at(1 + half, 64);
        value += tile[(t & 64) | ((t + 5) & 63)];
        wait_at(1 + half, 64);
    }
    out[t] = value;
}

// Which warps meet at a barrier, chance decides; what they leave does not depend on it.
extern "C" __global__ void whoever_comes(const int *in, int *out)
{
    __shared__ int next, tile[4][32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0)
        next = 0;
    __syncthreads();
    int place = lane == 0 ? atomicAdd(&next, 1) : 0;
    place = __shfl_sync(~0u, place, 0);
    tile[place][lane] = in[32 * place + lane];
    wait_at(1 + place / 2, 64);
    out[32 * place + lane] = 2 * tile[place ^ 1][31 - lane];
}

// The last warp is not full, and some threads have exited: it counts as a whole one.
extern "C" __global__ void ragged(const int *in, int *out)
{
    __shared__ int tile[100];
    int t = threadIdx.x;
    if (t >= 90)
        return;
    tile[t] = in[t];
    wait_at(2, 96);
    out[t] = tile[89 - t];
}

// A chain of warps: each waits for the one before it and lets the next one go on.
extern "C" __global__ void relay(const int *in, int *out)
{
    __shared__ int tile[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp > 0)
        wait_at(warp, 64);
    int value = warp == 0 ? in[lane] : tile[31 - lane] + 1;
    __syncwarp();
    tile[lane] = value;
    if (warp < 3)
        arrive_at(warp + 1, 64);
    out[threadIdx.x] = value;
}

__device__ unsigned shared_address(const void *p) { return __cvta_generic_to_shared(p); }
__device__ void start(unsigned long long *m, int threads)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(m)), "r"(threads) : "memory");
}
__device__ void arrive(unsigned long long *m)
{
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(shared_address(m)) : "memory");
}
__device__ void wait(unsigned long long *m, int parity)
{
    asm volatile("{.reg .pred p; L%=: mbarrier.test_wait.parity.shared.b64 p, [%0], %1; @!p bra L%=;}" ::"r"(shared_address(m)),
                 "r"(parity)
                 : "memory");
}

// Full and empty buffers again, as mbarriers: whoever fills a buffer for the first time has not to wait.
extern "C" __global__ void by_phases(const int *in, int *out)
{
    __shared__ unsigned long long full[2], empty[2];
    __shared__ int buffer[2][64];
    int t = threadIdx.x, sum = 0;
    if (t < 2) {
        start(&full[t], 64);
        start(&empty[t], 64);
    }
    __syncthreads();
    for (int round = 0; round < 6; round++) {
        int b = round % 2, phase = round / 2 % 2;
        if (t < 64) {
            wait(&empty[b], phase ^ 1);
            buffer[b][t] = in[round + t];
            arrive(&full[b]);
        } else {
            wait(&full[b], phase);
            sum = 3 * sum + buffer[b][127 - t];
            arrive(&empty[b]);
        }
    }
    out[t] = sum;
}

// A product of tiles of which 11 rows and 9 columns are there; the others are neither written nor stored.
extern "C" __global__ void part_of_tile(const int *in, int *out)
{
    using namespace nvcuda::wmma;
    __shared__ half a[256], b[256];
    __shared__ float c[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) {
        if (i / 16 < 11)
            a[i] = __int2half_rn(in[i] & 7);
        if (i % 16 < 9)
            b[i] = __int2half_rn(in[i] & 3);
    }
    __syncwarp();
    fragment<matrix_a, 16, 16, 16, half, row_major> rows;
    fragment<matrix_b, 16, 16, 16, half, row_major> columns;
    fragment<accumulator, 16, 16, 16, float> sums;
    load_matrix_sync(rows, a, 16);
    load_matrix_sync(columns, b, 16);
    fill_fragment(sums, 1.0f);
    mma_sync(sums, rows, columns, sums);
    store_matrix_sync(c, sums, 16, mem_row_major);
    __syncwarp();
    for (int i = t; i < 11 * 16; i += 32)
        if (i % 16 < 9)
            out[i] = (int)c[i];
}

struct Entry {
    char tag;
    short count;
    double weight;
};

// A struct with holes goes from local to shared memory and on to global memory, as a whole.
extern "C" __global__ void with_holes(const int *in, Entry *out, int *sums)
{
    __shared__ Entry entries[32];
    int t = threadIdx.x;
    Entry own;
    own.tag = t;
    own.count = in[t];
    own.weight = 0.5 * t;
    entries[t] = own;
    __syncwarp();
    Entry other = entries[31 - t];
    out[t] = other;
    sums[t] = other.tag + other.count + (int)other.weight;
}

struct Found {
    bool any;
    int at;
};

__device__ __noinline__ Found first_bit(int value)
{
    Found found;
    found.any = value & 6;
    if (found.any)
        found.at = __ffs(value & 6);
    return found;
}

// A member that has no value is copied with the one that says so.
extern "C" __global__ void optional(const int *in, Found *out, int *sums)
{
    int t = threadIdx.x;
    Found found = first_bit(in[t]);
    out[t] = found;
    sums[t] = found.any && found.at > 2;
}

union Word {
    int whole;
    unsigned char bytes[4];
};

// The lowest byte of a sum or a product depends on the lowest bytes alone.
extern "C" __global__ void low_byte(const int *in, int *out)
{
    Word word;
    word.bytes[0] = in[threadIdx.x];
    out[threadIdx.x] = (word.whole * 3 + 1) & 0xff;
}
