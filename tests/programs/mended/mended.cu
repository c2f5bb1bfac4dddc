// What faults/ does wrong, done right: barriers where they are needed, masks that name who comes, memory that is written.
// The checks must find nothing here.

// missing_barrier
extern "C" __global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[128];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[127 - t];
}

// race_of_sum, race_in_warps
extern "C" __global__ void totals(const int *in, int *out)
{
    __shared__ int values[96];
    __shared__ int sums[3];
    int t = threadIdx.x;
    values[t] = in[t] * in[t];
    __syncwarp();
    if (t % 32 == 0) {
        int sum = 0;
#pragma unroll 1
        for (int i = 0; i < 32; i++)
            sum += values[t + i];
        sums[t / 32] = sum;
    }
    __syncthreads();
    if (t == 0)
        out[0] = sums[0] + sums[1] + sums[2];
}

// barrier_of_some
extern "C" __global__ void steps(const int *in, int *out)
{
    __shared__ int sums[64];
    int t = threadIdx.x;
    sums[t] = 0;
    __syncthreads();
    for (int first = 0; first < 256; first += 64) {
        if (first + t < 250)
            sums[63 - t] += in[first + t];
        __syncthreads();
    }
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += sums[i] * i;
        out[0] = sum;
    }
}

// invalid_mask, stray_shuffle
extern "C" __global__ void some_lanes(const int *in, int *out)
{
    __shared__ int kept[32];
    int t = threadIdx.x;
    unsigned here = __ballot_sync(~0u, t < 20);
    if (t < 20) {
        kept[t] = in[t] * 3;
        __syncwarp(here);
        out[t] = kept[t ^ 1];
    }
    if (t < 8) {
        int v = in[t];
#pragma unroll
        for (int by = 4; by > 0; by /= 2)
            v += __shfl_down_sync(0xff, v, by, 8);
        if (t == 0)
            out[20] = v;
    }
}

// Warps in pairs, each pair at a barrier of its own, as often as its number says.
extern "C" __global__ void pairs(const int *in, int *out)
{
    __shared__ int tile[128];
    int t = threadIdx.x, pair = t / 64, sum = 0;
    for (int round = 0; round <= 2 * pair; round++) {
        tile[t] = in[t] + round;
        asm volatile("barrier.sync %0, 64;" ::"r"(pair + 1) : "memory");
        sum += tile[t ^ 33] * (round + 1);
        asm volatile("barrier.sync %0, 64;" ::"r"(pair + 1) : "memory");
    }
    out[t] = sum;
}

// The first warp fills one of two buffers while the second one empties the other.
extern "C" __global__ void handed_on(const int *in, int *out, int rounds)
{
    __shared__ int buffer[2][32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; r++) {
            if (r >= 2)
                asm volatile("bar.sync %0, 64;" ::"r"(3 + r % 2) : "memory"); // empty
            buffer[r % 2][lane] = in[r * 32 + lane];
            asm volatile("bar.arrive %0, 64;" ::"r"(1 + r % 2) : "memory"); // full
        }
    } else {
        int sum = 0;
        for (int r = 0; r < rounds; r++) {
            asm volatile("bar.sync %0, 64;" ::"r"(1 + r % 2) : "memory");
            sum += buffer[r % 2][31 - lane] * (r + 1);
            if (r + 2 < rounds)
                asm volatile("bar.arrive %0, 64;" ::"r"(3 + r % 2) : "memory");
        }
        out[lane] = sum;
    }
}

// One path leaves its result unwritten, and nobody looks at that.
__device__ __noinline__ bool looked_up(const int *table, int key, int *found)
{
    if (key % 3 == 0)
        return false;
    *found = table[key] * 7;
    return true;
}

extern "C" __global__ void lookup(const int *in, int *out)
{
    int found;
    bool there = looked_up(in, threadIdx.x, &found);
    out[threadIdx.x] = there ? found : -1;
}

// A merge looks at the next element of both its inputs, be there one or not.
extern "C" __global__ void merge(const int *in, int *out)
{
    __shared__ int keys[64];
    int t = threadIdx.x;
    if (t < 40)
        keys[t] = in[t % 20 * 5 % 20] + t / 20;
    __syncthreads();
    int a = keys[t % 41], b = keys[t % 41 + 1];
    bool first = t % 41 + 1 >= 40 || (t % 41 < 40 && a <= b);
    out[t] = t % 41 >= 40 ? -1 : first ? a : b;
}

// A struct with holes, and bits of a word one after the other, in shared memory.
struct Entry {
    char tag;
    int value;
    short rest;
};
struct Flags {
    unsigned low : 3, middle : 7, high : 11;
};

extern "C" __global__ void holes(const int *in, int *out, Entry *entries)
{
    __shared__ Entry shared[32];
    __shared__ Flags flags[32];
    int t = threadIdx.x;
    shared[t].tag = (char)in[t];
    shared[t].value = in[t] * 100;
    shared[t].rest = (short)-in[t];
    flags[t].low = in[t];
    flags[t].middle = in[t] * 3;
    flags[t].high = in[t] * 5;
    __syncthreads();
    Entry mine = shared[31 - t];
    entries[t].tag = mine.tag;
    entries[t].value = mine.value;
    entries[t].rest = mine.rest;
    Flags of = flags[t ^ 1];
    out[t] = of.low + of.middle * 10 + of.high * 1000;
}

// uninitialised_byte
extern "C" __global__ void clear(unsigned char *p, int n)
{
    int i = threadIdx.x;
    if (i < n)
        p[i] = 1;
}

extern "C" __global__ void doubled(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] * 2;
}
