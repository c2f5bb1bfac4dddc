// Cooperative groups: blocks, tiles of a warp, coalesced threads, clusters and grids. CUDA C++ Programming Guide, "Cooperative Groups".
#pragma once
namespace cooperative_groups {

__device__ inline unsigned __lane()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__device__ inline unsigned __lanes_below() { return (1u << __lane()) - 1; }
__device__ inline unsigned __rank_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned __threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
// Lane of the n-th bit that is set (from 0); 32 where there are not as many.
__device__ inline unsigned __lane_of_rank(unsigned mask, unsigned n)
{
    for (; n != 0 && mask != 0; n--)
        mask &= mask - 1;
    return mask == 0 ? 32u : (unsigned)(__ffs((int)mask) - 1);
}

// A value of any type goes from lane to lane by words; those of shuffles' own types in one piece.
#define SHUFFLE(NAME)                                                                                                           \
    template <typename T> __device__ inline T __move_##NAME(unsigned mask, T v, unsigned lane, int width)                       \
    {                                                                                                                           \
        const int count = (int)((sizeof(T) + 3) / 4);                                                                           \
        unsigned words[count];                                                                                                  \
        words[count - 1] = 0;                                                                                                   \
        memcpy(words, &v, sizeof(T));                                                                                           \
        for (int i = 0; i < count; i++)                                                                                         \
            words[i] = NAME(mask, words[i], lane, width);                                                                       \
        memcpy(&v, words, sizeof(T));                                                                                           \
        return v;                                                                                                               \
    }                                                                                                                           \
    SHUFFLE_OF(NAME, int)                                                                                                       \
    SHUFFLE_OF(NAME, unsigned)                                                                                                  \
    SHUFFLE_OF(NAME, float)                                                                                                     \
    SHUFFLE_OF(NAME, long)                                                                                                      \
    SHUFFLE_OF(NAME, unsigned long)                                                                                             \
    SHUFFLE_OF(NAME, long long)                                                                                                 \
    SHUFFLE_OF(NAME, unsigned long long)                                                                                        \
    SHUFFLE_OF(NAME, double)
#define SHUFFLE_OF(NAME, T)                                                                                                     \
    __device__ inline T __move_##NAME(unsigned mask, T v, unsigned lane, int width) { return NAME(mask, v, lane, width); }
SHUFFLE(__shfl_sync)
SHUFFLE(__shfl_up_sync)
SHUFFLE(__shfl_down_sync)
SHUFFLE(__shfl_xor_sync)
#undef SHUFFLE
#undef SHUFFLE_OF

// Group of a kind that is known when the kernel runs: a block, or lanes of a warp.
struct thread_group {
    unsigned __mask;  // of lanes; 0: the block
    unsigned __size;
    unsigned __rank;
    __device__ unsigned long long size() const { return __size; }
    __device__ unsigned long long num_threads() const { return __size; }
    __device__ unsigned long long thread_rank() const { return __rank; }
    __device__ bool is_valid() const { return true; }
    __device__ void sync() const
    {
        if (__mask == 0)
            __builtin_barrier(0);
        else
            __syncwarp(__mask);
    }
};

struct thread_block {
    __device__ static void sync() { __builtin_barrier(0); }
    __device__ static unsigned size() { return __threads_of_block(); }
    __device__ static unsigned num_threads() { return __threads_of_block(); }
    __device__ static unsigned thread_rank() { return __rank_in_block(); }
    __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ static bool is_valid() { return true; }
    __device__ operator thread_group() const { return {0, __threads_of_block(), __rank_in_block()}; }
};
__device__ inline thread_block this_thread_block() { return thread_block(); }

// Lanes of a warp, of which `mask` says which. Ranks go up with lanes.
struct coalesced_group {
    unsigned __mask, __size, __rank, __meta_size, __meta_rank;
    __device__ coalesced_group(unsigned mask, unsigned meta_size = 1, unsigned meta_rank = 0)
        : __mask(mask), __size((unsigned)__popc(mask)), __rank((unsigned)__popc(mask & __lanes_below())),
          __meta_size(meta_size), __meta_rank(meta_rank)
    {
    }
    __device__ unsigned long long size() const { return __size; }
    __device__ unsigned long long num_threads() const { return __size; }
    __device__ unsigned long long thread_rank() const { return __rank; }
    __device__ unsigned long long meta_group_size() const { return __meta_size; }
    __device__ unsigned long long meta_group_rank() const { return __meta_rank; }
    __device__ bool is_valid() const { return true; }
    __device__ void sync() const { __syncwarp(__mask); }
    __device__ operator thread_group() const { return {__mask, __size, __rank}; }
    template <typename T> __device__ T shfl(T v, unsigned rank) const
    {
        return __move___shfl_sync(__mask, v, __size == 32 ? rank : __lane_of_rank(__mask, rank % __size), 32);
    }
    template <typename T> __device__ T shfl_up(T v, unsigned delta) const
    {
        if (__size == 32)
            return __move___shfl_up_sync(__mask, v, delta, 32);
        return __move___shfl_sync(__mask, v, __rank >= delta ? __lane_of_rank(__mask, __rank - delta) : __lane(), 32);
    }
    template <typename T> __device__ T shfl_down(T v, unsigned delta) const
    {
        if (__size == 32)
            return __move___shfl_down_sync(__mask, v, delta, 32);
        return __move___shfl_sync(__mask, v, delta < __size - __rank ? __lane_of_rank(__mask, __rank + delta) : __lane(), 32);
    }
    __device__ int any(int p) const { return __ballot_sync(__mask, p) != 0; }
    __device__ int all(int p) const { return __ballot_sync(__mask, p) == __mask; }
    __device__ unsigned ballot(int p) const { return __packed(__ballot_sync(__mask, p)); }
    template <typename T> __device__ unsigned match_any(T v) const { return __packed(__match_any_sync(__mask, v)); }
    template <typename T> __device__ unsigned match_all(T v, int &all) const
    {
        return __packed(__match_all_sync(__mask, v, &all));
    }
    // A mask of lanes as a mask of ranks.
    __device__ unsigned __packed(unsigned lanes) const
    {
        if (__size == 32)
            return lanes;
        unsigned ranks = 0, left = __mask;
        for (unsigned rank = 0; rank < __size; rank++) {
            unsigned lowest = left & -left;
            if (lanes & lowest)
                ranks |= 1u << rank;
            left ^= lowest;
        }
        return ranks;
    }
};
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Tile of 1, 2, 4, 8, 16 or 32 neighbouring lanes of a warp; larger ones are in a file of their own.
template <unsigned Size, typename Parent = void> struct thread_block_tile {
    static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
        "the number of threads in a tile must be a power of two up to 512");
    unsigned __meta_size, __meta_rank;
    __device__ thread_block_tile(unsigned meta_size, unsigned meta_rank) : __meta_size(meta_size), __meta_rank(meta_rank) {}
    template <typename Other> __device__ thread_block_tile(const thread_block_tile<Size, Other> &other)
        : __meta_size(other.__meta_size), __meta_rank(other.__meta_rank)
    {
    }
    __device__ static unsigned __lanes()
    {
        return Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << (__lane() & ~(Size - 1));
    }
    __device__ static constexpr unsigned size() { return Size; }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ static unsigned thread_rank() { return __rank_in_block() & (Size - 1); }
    __device__ unsigned meta_group_size() const { return __meta_size; }
    __device__ unsigned meta_group_rank() const { return __meta_rank; }
    __device__ static bool is_valid() { return true; }
    __device__ static void sync() { __syncwarp(__lanes()); }
    __device__ operator thread_group() const { return {__lanes(), Size, thread_rank()}; }
    __device__ operator coalesced_group() const { return coalesced_group(__lanes(), __meta_size, __meta_rank); }
    template <typename T> __device__ T shfl(T v, int rank) const { return __move___shfl_sync(__lanes(), v, (unsigned)rank, Size); }
    template <typename T> __device__ T shfl_up(T v, unsigned delta) const
    {
        return __move___shfl_up_sync(__lanes(), v, delta, Size);
    }
    template <typename T> __device__ T shfl_down(T v, unsigned delta) const
    {
        return __move___shfl_down_sync(__lanes(), v, delta, Size);
    }
    template <typename T> __device__ T shfl_xor(T v, unsigned lanes) const
    {
        return __move___shfl_xor_sync(__lanes(), v, lanes, Size);
    }
    __device__ int any(int p) const { return Size == 32 ? __any_sync(0xffffffffu, p) : __ballot_sync(__lanes(), p) != 0; }
    __device__ int all(int p) const
    {
        return Size == 32 ? __all_sync(0xffffffffu, p) : __ballot_sync(__lanes(), p) == __lanes();
    }
    __device__ unsigned ballot(int p) const { return __packed(__ballot_sync(__lanes(), p)); }
    template <typename T> __device__ unsigned match_any(T v) const { return __packed(__match_any_sync(__lanes(), v)); }
    template <typename T> __device__ unsigned match_all(T v, int &all) const
    {
        return __packed(__match_all_sync(__lanes(), v, &all));
    }
    __device__ static unsigned __packed(unsigned lanes) { return Size == 32 ? lanes : lanes >> (__lane() & ~(Size - 1)); }
};

}
#include <cooperative_groups/large_tiles.inc>
namespace cooperative_groups {
template <unsigned Size> __device__ inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    return thread_block_tile<Size, thread_block>((__threads_of_block() + Size - 1) / Size, __rank_in_block() / Size);
}
template <unsigned Size, unsigned Outer, typename Parent>
__device__ inline thread_block_tile<Size, thread_block_tile<Outer, Parent>> tiled_partition(const thread_block_tile<Outer, Parent> &)
{
    static_assert(Size <= Outer, "a tile cannot be larger than the group that it is a part of");
    return thread_block_tile<Size, thread_block_tile<Outer, Parent>>(Outer / Size, __rank_in_block() % Outer / Size);
}
__device__ inline thread_group tiled_partition(const thread_block &block, unsigned size)
{
    unsigned rank = __rank_in_block(), lanes = size == 32 ? 0xffffffffu : ((1u << size) - 1) << (__lane() & ~(size - 1));
    return {lanes, size, rank & (size - 1)};
}
__device__ inline coalesced_group tiled_partition(const coalesced_group &group, unsigned size)
{
    unsigned first = group.__rank & ~(size - 1), lanes = 0, left = group.__mask;
    for (unsigned rank = 0; rank < group.__size; rank++) {
        unsigned lowest = left & -left;
        if (rank >= first && rank < first + size)
            lanes |= lowest;
        left ^= lowest;
    }
    return coalesced_group(lanes, (group.__size + size - 1) / size, group.__rank / size);
}
template <unsigned Size, typename Parent>
__device__ inline coalesced_group tiled_partition(const thread_block_tile<Size, Parent> &tile, unsigned size)
{
    return tiled_partition((coalesced_group)tile, size);
}
__device__ inline thread_group tiled_partition(const thread_group &group, unsigned size)
{
    if (group.__mask == 0)
        return tiled_partition(this_thread_block(), size);
    return tiled_partition(coalesced_group(group.__mask), size);
}
// Parts of a group by what its threads say; they are numbered by their lowest lanes, those of a yes and a no by the answer.
__device__ inline coalesced_group __parted(unsigned lanes, bool p)
{
    unsigned yes = __ballot_sync(lanes, p), mine = p ? yes : lanes & ~yes;
    return mine == lanes ? coalesced_group(mine) : coalesced_group(mine, 2, p);
}
template <typename T> __device__ inline coalesced_group __labelled(unsigned lanes, T label)
{
    unsigned mine = __match_any_sync(lanes, label), first = mine & -mine;
    unsigned firsts = __ballot_sync(lanes, first == 1u << __lane());
    return coalesced_group(mine, __popc(firsts), __popc(firsts & (first - 1)));
}
__device__ inline coalesced_group __labelled(unsigned lanes, bool label) { return __parted(lanes, label); }
template <typename T> __device__ inline coalesced_group __labelled(unsigned lanes, T *label)
{
    return __labelled(lanes, (unsigned long long)label);
}
template <typename T> __device__ inline coalesced_group labeled_partition(const coalesced_group &group, T label)
{
    return __labelled(group.__mask, label);
}
template <unsigned Size, typename Parent, typename T>
__device__ inline coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &group, T label)
{
    return __labelled(group.__lanes(), label);
}
__device__ inline coalesced_group binary_partition(const coalesced_group &group, bool p) { return __parted(group.__mask, p); }
template <unsigned Size, typename Parent>
__device__ inline coalesced_group binary_partition(const thread_block_tile<Size, Parent> &group, bool p)
{
    return __parted(group.__lanes(), p);
}

// All blocks of a cooperative launch. They meet at a word that the driver gives such a launch: its address is in the environment
// registers 1 (upper half) and 2, the word is 4 bytes further. A launch that is not cooperative has none.
struct grid_group {
    typedef unsigned arrival_token;
    __device__ static unsigned *__meeting()
    {
        unsigned high, low;
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        unsigned long long at = (unsigned long long)high << 32 | low;
        return at == 0 ? (unsigned *)0 : (unsigned *)(at + 4);
    }
    __device__ static bool is_valid() { return __meeting() != 0; }
    __device__ static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    __device__ static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ static unsigned long long size() { return num_blocks() * __threads_of_block(); }
    __device__ static unsigned long long num_threads() { return size(); }
    __device__ static unsigned long long thread_rank() { return block_rank() * __threads_of_block() + __rank_in_block(); }
    __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    // The first block adds what takes the sum of all to 2^31, so the highest bit turns when all are there, whatever the others add.
    __device__ static arrival_token barrier_arrive()
    {
        unsigned *word = __meeting(), before = 0;
        if (word == 0)
            __trap();
        __builtin_barrier(0);
        if (__rank_in_block() == 0) {
            unsigned count = block_rank() == 0 ? 0x80000000u - ((unsigned)num_blocks() - 1) : 1u;
#if __CUDA_ARCH__ >= 700
            before = __builtin_atomic_add(word, count, 3, 3);
#else
            __threadfence();
            before = atomicAdd(word, count);
#endif
        }
        return before;
    }
    __device__ static void barrier_wait(arrival_token before)
    {
        unsigned *word = __meeting();
        if (__rank_in_block() == 0) {
#if __CUDA_ARCH__ >= 700
            while (((__builtin_load(word, 2, 3) ^ before) & 0x80000000u) == 0)
                ;
#else
            while (((*(volatile unsigned *)word ^ before) & 0x80000000u) == 0)
                ;
            __threadfence();
#endif
        }
        __builtin_barrier(0);
    }
    __device__ static void sync() { barrier_wait(barrier_arrive()); }
};
__device__ inline grid_group this_grid() { return grid_group(); }

#if __CUDA_ARCH__ >= 900
#define SPECIAL(NAME, REGISTER)                                                                                                 \
    __device__ inline unsigned NAME()                                                                                           \
    {                                                                                                                           \
        unsigned v;                                                                                                             \
        asm("mov.u32 %0, %%" REGISTER ";" : "=r"(v));                                                                           \
        return v;                                                                                                               \
    }
SPECIAL(__cluster_block_rank, "cluster_ctarank")
SPECIAL(__cluster_blocks, "cluster_nctarank")
SPECIAL(__cluster_x, "cluster_ctaid.x")
SPECIAL(__cluster_y, "cluster_ctaid.y")
SPECIAL(__cluster_z, "cluster_ctaid.z")
SPECIAL(__cluster_size_x, "cluster_nctaid.x")
SPECIAL(__cluster_size_y, "cluster_nctaid.y")
SPECIAL(__cluster_size_z, "cluster_nctaid.z")
#undef SPECIAL
struct cluster_group {
    struct arrival_token {};
    __device__ static void sync()
    {
        __builtin_cluster_arrive();
        __builtin_cluster_wait();
    }
    __device__ static arrival_token barrier_arrive()
    {
        __builtin_cluster_arrive();
        return arrival_token();
    }
    __device__ static void barrier_wait(const arrival_token &) { __builtin_cluster_wait(); }
    __device__ static void barrier_wait() { __builtin_cluster_wait(); }
    __device__ static unsigned num_blocks() { return __cluster_blocks(); }
    __device__ static unsigned block_rank() { return __cluster_block_rank(); }
    __device__ static unsigned num_threads() { return __cluster_blocks() * __threads_of_block(); }
    __device__ static unsigned size() { return num_threads(); }
    __device__ static unsigned thread_rank() { return __cluster_block_rank() * __threads_of_block() + __rank_in_block(); }
    __device__ static dim3 block_index() { return dim3(__cluster_x(), __cluster_y(), __cluster_z()); }
    __device__ static dim3 dim_blocks() { return dim3(__cluster_size_x(), __cluster_size_y(), __cluster_size_z()); }
    __device__ static dim3 dim_threads()
    {
        return dim3(__cluster_size_x() * blockDim.x, __cluster_size_y() * blockDim.y, __cluster_size_z() * blockDim.z);
    }
    // Where the block of that rank has what this block has at p, which is in shared memory.
    template <typename T> __device__ static T *map_shared_rank(T *p, int rank)
    {
        T *there;
        asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
        return there;
    }
    __device__ static unsigned query_shared_rank(const void *p)
    {
        unsigned rank;
        asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
        return rank;
    }
};
__device__ inline cluster_group this_cluster() { return cluster_group(); }
#endif

template <typename Group> __device__ inline void sync(const Group &group) { group.sync(); }
template <typename Group> __device__ inline unsigned long long thread_rank(const Group &group) { return group.thread_rank(); }
template <typename Group> __device__ inline unsigned long long group_size(const Group &group) { return group.size(); }

template <typename Group, typename F> __device__ inline void invoke_one(const Group &group, F f)
{
    if (group.thread_rank() == 0)
        f();
}
}
