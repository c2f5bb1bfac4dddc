// Segmented sums with head flags in a warp and in a block, atomics that a warp does once for all its lanes, a histogram
// with a copy a warp, and keyed reduction of runs.

struct Flagged {
    int head;
    int value;
};

__device__ Flagged join(Flagged left, Flagged right)
{
    return {left.head | right.head, right.head ? right.value : left.value + right.value};
}

__device__ Flagged shuffle_up(Flagged v, int d)
{
    return {__shfl_up_sync(~0u, v.head, d), __shfl_up_sync(~0u, v.value, d)};
}

// Inclusive, of blocks of 128: a segment begins where a flag is set.
extern "C" __global__ void segmented_scan(const int *values, const unsigned char *heads, int *out, int n)
{
    __shared__ Flagged last[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    Flagged mine = {i < n ? heads[i] % 5 == 0 : 0, i < n ? values[i] : 0};
    for (int d = 1; d < 32; d <<= 1) {
        Flagged other = shuffle_up(mine, d);
        if (lane >= d)
            mine = join(other, mine);
    }
    if (lane == 31)
        last[warp] = mine;
    __syncthreads();
    Flagged before = {0, 0};
    for (int w = 0; w < warp; w++)
        before = join(before, last[w]);
    mine = join(before, mine);
    if (i < n)
        out[i] = mine.value;
}

// The number of one atomic for all active lanes; each gets a place of its own.
__device__ int take(int *counter)
{
    unsigned active = __activemask(), below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    int leader = __ffs(active) - 1, first = 0;
    if ((threadIdx.x & 31) == leader)
        first = atomicAdd(counter, __popc(active));
    return __shfl_sync(active, first, leader) + __popc(active & below);
}

// Order among warps is open, so what is checked is the count and the sum of squares.
extern "C" __global__ void filter(const int *values, int *kept, int *count, unsigned long long *squares, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int v = values[i];
        if (v % 3 == 0)
            kept[take(count)] = v;
    }
    __syncthreads();
    if (threadIdx.x < 32)
        atomicAdd(squares, (unsigned long long)threadIdx.x * threadIdx.x);
}

extern "C" __global__ void total(const int *kept, const int *count, unsigned long long *squares)
{
    for (int i = threadIdx.x; i < *count; i += blockDim.x)
        atomicAdd(squares, (unsigned long long)((long long)kept[i] * kept[i]));
}

// A copy of the histogram for each warp of the block, then one sum.
extern "C" __global__ void private_histogram(const unsigned char *bytes, unsigned *counts, int n)
{
    __shared__ unsigned copies[4][64];
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        copies[k / 64][k % 64] = 0;
    __syncthreads();
    unsigned *mine = copies[threadIdx.x / 32];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        uchar4 four = reinterpret_cast<const uchar4 *>(bytes)[i];
        atomicAdd(mine + four.x / 4, 1);
        atomicAdd(mine + four.y / 4, 1);
        atomicAdd(mine + four.z / 4, 1);
        atomicAdd(mine + four.w / 4, 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 64; k += blockDim.x)
        atomicAdd(counts + k, copies[0][k] + copies[1][k] + copies[2][k] + copies[3][k]);
}

// Runs of equal keys: the first lane of a run adds up the run.
extern "C" __global__ void by_key(const int *keys, const float *values, float *sums, int *lengths, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || (i > 0 && keys[i - 1] / 7 == keys[i] / 7))
        return;
    float sum = 0;
    int k = i;
    do
        sum += values[k++];
    while (k < n && keys[k] / 7 == keys[i] / 7);
    sums[keys[i] / 7] = sum;
    lengths[keys[i] / 7] = k - i;
}
