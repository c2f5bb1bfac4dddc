// Bitonic and odd-even merge sort networks: in shared memory with strides, in registers with shuffles, and a merge of two
// sorted lists by diagonals (merge path).
#ifdef __clang__
#include "../clang.h"
#endif

template <typename T, typename Less> __device__ void bitonic(T *shared, int n, Less less)
{
    for (int size = 2; size <= n; size <<= 1)
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            __syncthreads();
            for (int t = threadIdx.x; t < n / 2; t += blockDim.x) {
                int at = 2 * t - (t & (stride - 1));
                bool up = (at & size) == 0;
                T a = shared[at], b = shared[at + stride];
                if (less(b, a) == up) {
                    shared[at] = b;
                    shared[at + stride] = a;
                }
            }
        }
    __syncthreads();
}

struct Pair {
    float key;
    int place;
};

extern "C" __global__ void longs(long long *keys, int n)
{
    extern __shared__ long long kept[];
    for (int t = threadIdx.x; t < n; t += blockDim.x)
        kept[t] = keys[t];
    bitonic(kept, n, [](long long a, long long b) { return a < b; });
    for (int t = threadIdx.x; t < n; t += blockDim.x)
        keys[t] = kept[t];
}

// Down by the key; places break ties.
extern "C" __global__ void pairs(const float *keys, float *sorted, int *places, int n)
{
    __shared__ Pair kept[256];
    for (int t = threadIdx.x; t < n; t += blockDim.x)
        kept[t] = {floorf(keys[t]), t};
    bitonic(kept, n, [](const Pair &a, const Pair &b) { return a.key > b.key || (a.key == b.key && a.place < b.place); });
    for (int t = threadIdx.x; t < n; t += blockDim.x) {
        sorted[t] = kept[t].key;
        places[t] = kept[t].place;
    }
}

// Batcher's odd-even merge sort, by bytes.
extern "C" __global__ void odd_even(unsigned char *keys, int n)
{
    __shared__ unsigned char kept[512];
    unsigned char *mine = keys + blockIdx.x * n;
    for (int t = threadIdx.x; t < n; t += blockDim.x)
        kept[t] = mine[t];
    for (int p = 1; p < n; p <<= 1)
        for (int k = p; k >= 1; k >>= 1) {
            __syncthreads();
            for (int t = threadIdx.x; t < n; t += blockDim.x) {
                int j = t - k % p;
                if (j >= 0 && j / k % 2 == 0 && t + k < n && t / (2 * p) == (t + k) / (2 * p) && kept[t] > kept[t + k]) {
                    unsigned char swap = kept[t];
                    kept[t] = kept[t + k];
                    kept[t + k] = swap;
                }
            }
        }
    __syncthreads();
    for (int t = threadIdx.x; t < n; t += blockDim.x)
        mine[t] = kept[t];
}

// 32 keys of a warp, a key a lane.
extern "C" __global__ void registers(int *keys)
{
    int lane = threadIdx.x & 31, v = keys[blockIdx.x * blockDim.x + threadIdx.x];
#pragma unroll
    for (int size = 2; size <= 32; size <<= 1)
#pragma unroll
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            int other = __shfl_xor_sync(0xffffffffu, v, stride);
            bool low = ((lane & size) == 0) == ((lane & stride) == 0);
            v = low ? min(v, other) : max(v, other);
        }
    keys[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// Each thread finds where its diagonal crosses the path, and merges its share.
extern "C" __global__ void merge(const int *a, int na, const int *b, int nb, int *out, int share)
{
    int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * share;
    if (diagonal >= na + nb)
        return;
    int low = max(0, diagonal - nb), high = min(diagonal, na);
    while (low < high) {
        int middle = (low + high) >> 1;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = diagonal - low;
    for (int k = diagonal; k < min(diagonal + share, na + nb); k++)
        out[k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
}
