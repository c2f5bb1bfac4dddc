// Radix sort in the manner of CUB: block-wide ranking by bits, by digits with matching warps, and a sort of keys with
// values by templates on the key, the digit's bits and the items a thread holds.

template <int Threads> struct BlockScan {
    struct Storage {
        int warps[Threads / 32];
    };
    Storage &storage;
    __device__ BlockScan(Storage &s) : storage(s) {}
    __device__ int exclusive(int value, int &total)
    {
        int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = value;
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            int other = __shfl_up_sync(~0u, sum, d);
            if (lane >= d)
                sum += other;
        }
        if (lane == 31)
            storage.warps[warp] = sum;
        __syncthreads();
        int before = 0;
        total = 0;
#pragma unroll
        for (int w = 0; w < Threads / 32; w++) {
            if (w == warp)
                before = total;
            total += storage.warps[w];
        }
        __syncthreads();
        return before + sum - value;
    }
};

template <typename T> struct Traits;
template <> struct Traits<unsigned> {
    typedef unsigned Bits;
    static __device__ Bits in(unsigned v) { return v; }
    static __device__ unsigned out(Bits b) { return b; }
};
template <> struct Traits<float> {
    typedef unsigned Bits;
    static __device__ Bits in(float v)
    {
        unsigned b = __float_as_uint(v);
        return b ^ (b >> 31 ? ~0u : 1u << 31);
    }
    static __device__ float out(Bits b) { return __uint_as_float(b ^ (b >> 31 ? 1u << 31 : ~0u)); }
};
template <> struct Traits<long long> {
    typedef unsigned long long Bits;
    static __device__ Bits in(long long v) { return (Bits)v ^ 1ull << 63; }
    static __device__ long long out(Bits b) { return (long long)(b ^ 1ull << 63); }
};

template <typename Key, int Threads, int Items> struct BlockRadixSort {
    typedef typename Traits<Key>::Bits Bits;
    union Storage {
        typename BlockScan<Threads>::Storage scan;
        struct {
            Bits keys[Threads * Items];
            int values[Threads * Items];
        } exchange;
    };
    // One pass a bit: zeros keep their order in front of the ones.
    static __device__ void sort(Storage &storage, Bits (&keys)[Items], int (&values)[Items], int from, int to)
    {
        for (int bit = from; bit < to; bit++) {
            int zeros = 0, total;
#pragma unroll
            for (int k = 0; k < Items; k++)
                zeros += !(keys[k] >> bit & 1);
            int zero = BlockScan<Threads>(storage.scan).exclusive(zeros, total);
            int one = total + threadIdx.x * Items - zero;
#pragma unroll
            for (int k = 0; k < Items; k++) {
                int at = keys[k] >> bit & 1 ? one++ : zero++;
                storage.exchange.keys[at] = keys[k];
                storage.exchange.values[at] = values[k];
            }
            __syncthreads();
#pragma unroll
            for (int k = 0; k < Items; k++) {
                keys[k] = storage.exchange.keys[threadIdx.x * Items + k];
                values[k] = storage.exchange.values[threadIdx.x * Items + k];
            }
            __syncthreads();
        }
    }
};

template <typename Key, int Threads, int Items> __device__ void sort_block(Key *keys, int *values)
{
    typedef BlockRadixSort<Key, Threads, Items> Sort;
    __shared__ typename Sort::Storage storage;
    typename Sort::Bits mine[Items];
    int its[Items], base = (blockIdx.x * Threads + threadIdx.x) * Items;
    for (int k = 0; k < Items; k++) {
        mine[k] = Traits<Key>::in(keys[base + k]);
        its[k] = base + k;
    }
    Sort::sort(storage, mine, its, 0, sizeof(Key) * 8);
    for (int k = 0; k < Items; k++) {
        keys[base + k] = Traits<Key>::out(mine[k]);
        values[base + k] = its[k];
    }
}

extern "C" __global__ void __launch_bounds__(64) sort_unsigned(unsigned *keys, int *values) { sort_block<unsigned, 64, 4>(keys, values); }
extern "C" __global__ void __launch_bounds__(96) sort_float(float *keys, int *values) { sort_block<float, 96, 3>(keys, values); }
extern "C" __global__ void __launch_bounds__(32) sort_long(long long *keys, int *values) { sort_block<long long, 32, 5>(keys, values); }

// The rank of each key among those of its digit, in the block's order: lanes with one digit find each other.
extern "C" __global__ void rank_digits(const unsigned *keys, int *ranks, int *counts, int shift)
{
    __shared__ int counters[4][16];
    int t = threadIdx.x, warp = t / 32;
    counters[t / 16 & 3][t % 16] = 0;
    __syncthreads();
    unsigned digit = keys[t] >> shift & 15, peers = __match_any_sync(~0u, digit), below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    int leader = __ffs(peers) - 1;
    if ((t & 31) == leader)
        counters[warp][digit] = __popc(peers);
    __syncthreads();
    int rank = __popc(peers & below);
    for (int w = 0; w < warp; w++)
        rank += counters[w][digit];
    ranks[t] = rank;
    if (t < 16)
        counts[t] = counters[0][t] + counters[1][t] + counters[2][t] + counters[3][t];
}
