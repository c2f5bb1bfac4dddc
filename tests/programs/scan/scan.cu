// Prefix sums: Blelloch's two sweeps in shared memory, Hillis and Steele's with two buffers, and warps with shfl_up.
#ifdef __clang__
#include "../clang.h"
#endif

// Exclusive; a block scans 2 * blockDim.x elements. Dynamic shared memory: as many ints.
extern "C" __global__ void blelloch(const int *in, int *out, int n)
{
    extern __shared__ int tree[];
    int t = threadIdx.x, size = 2 * blockDim.x, base = blockIdx.x * size;
    tree[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
    tree[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
    int offset = 1;
    for (int d = size >> 1; d > 0; d >>= 1, offset <<= 1) {
        __syncthreads();
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    }
    if (t == 0)
        tree[size - 1] = 0;
    for (int d = 1; d < size; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            int kept = tree[left];
            tree[left] = tree[right];
            tree[right] += kept;
        }
    }
    __syncthreads();
    if (base + 2 * t < n)
        out[base + 2 * t] = tree[2 * t];
    if (base + 2 * t + 1 < n)
        out[base + 2 * t + 1] = tree[2 * t + 1];
}

// Inclusive, of a block's elements.
extern "C" __global__ void hillis_steele(const int *in, int *out, int n)
{
    __shared__ int two[2][128];
    int i = blockIdx.x * blockDim.x + threadIdx.x, from = 0;
    two[0][threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int v = two[from][threadIdx.x];
        if (threadIdx.x >= d)
            v += two[from][threadIdx.x - d];
        two[1 - from][threadIdx.x] = v;
        from = 1 - from;
        __syncthreads();
    }
    if (i < n)
        out[i] = two[from][threadIdx.x];
}

// Inclusive, of a block's elements: a scan in each warp, then one over the warps' sums.
extern "C" __global__ void shuffles(const int *in, int *out, int n)
{
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d <<= 1) {
        int other = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += other;
    }
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = lane < (blockDim.x + 31) / 32 ? sums[lane] : 0;
        for (int d = 1; d < 32; d <<= 1) {
            int other = __shfl_up_sync(0xffffffffu, s, d);
            s += lane >= d ? other : 0;
        }
        sums[lane] = s;
    }
    __syncthreads();
    if (warp > 0)
        v += sums[warp - 1];
    if (i < n)
        out[i] = v;
}
