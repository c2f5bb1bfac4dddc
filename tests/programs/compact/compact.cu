// Several kernels one after the other, with what one writes read by the next: compaction by prefix sums (count, scan,
// scatter), run-length encoding and back, and a list ranked by pointer jumping. Grid-stride loops, predicates as lambdas.
#ifdef __clang__
#include "../clang.h"
#endif

template <int Threads> __device__ int exclusive(int v, int *total)
{
    __shared__ int two[2][Threads];
    int t = threadIdx.x, at = 0;
    two[0][t] = v;
    __syncthreads();
    for (int d = 1; d < Threads; d <<= 1, at ^= 1) {
        two[at ^ 1][t] = two[at][t] + (t >= d ? two[at][t - d] : 0);
        __syncthreads();
    }
    int sum = two[at][t];
    *total = two[at][Threads - 1];
    __syncthreads();
    return sum - v;
}

__device__ bool wanted(int v, int how)
{
    auto odd = [](int x) { return (x & 1) != 0; };
    auto above = [=](int x) { return x > how * 10; };
    return how < 3 ? odd(v) : above(v);
}

extern "C" __global__ void count(const int *in, int *counts, int n, int how)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, total;
    exclusive<64>(i < n && wanted(in[i], how), &total);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = total;
}

// One block; a carry from chunk to chunk.
extern "C" __global__ void scan(int *counts, int *whole, int n)
{
    int carry = 0;
    for (int base = 0; base < n; base += blockDim.x) {
        int i = base + threadIdx.x, total, v = i < n ? counts[i] : 0;
        int before = exclusive<32>(v, &total);
        if (i < n)
            counts[i] = carry + before;
        carry += total;
    }
    if (threadIdx.x == 0)
        *whole = carry;
}

extern "C" __global__ void scatter(const int *in, const int *counts, int *out, int n, int how)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, total;
    bool mine = i < n && wanted(in[i], how);
    int at = exclusive<64>(mine, &total);
    if (mine)
        out[counts[blockIdx.x] + at] = in[i];
}

// Runs: a thread whose element differs from the one before writes where its run starts.
extern "C" __global__ void mark(const unsigned char *in, int *starts, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        starts[i] = i == 0 || in[i] / 64 != in[i - 1] / 64 ? i : -1;
}

extern "C" __global__ void encode(const unsigned char *in, const int *starts, int *places, unsigned char *what, int *runs, int n)
{
    int base = 0;
    for (int from = 0; from < n; from += blockDim.x) {
        int i = from + threadIdx.x, total;
        bool starting = i < n && starts[i] >= 0;
        int at = base + exclusive<64>(starting, &total);
        if (starting) {
            places[at] = i;
            what[at] = in[i] / 64;
        }
        base += total;
    }
    if (threadIdx.x == 0) {
        *runs = base;
        places[base] = n;
    }
}

extern "C" __global__ void decode(const int *places, const unsigned char *what, const int *runs, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int low = 0, high = *runs;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        (places[middle] <= i ? low : high) = middle;
    }
    out[i] = what[low];
}

// How far an element of a linked list is from its end: each round doubles the jump.
extern "C" __global__ void rank_list(int *ranks, int n)
{
    __shared__ int next[2][256], distance[2][256];
    int t = threadIdx.x, from = 0;
    if (t < n) {
        next[0][t] = t == 77 % n ? t : (t + 37) % n;
        distance[0][t] = next[0][t] != t;
    }
    __syncthreads();
    for (int d = 1; d < n; d <<= 1, from ^= 1) {
        if (t < n) {
            int over = next[from][t];
            distance[from ^ 1][t] = distance[from][t] + distance[from][over];
            next[from ^ 1][t] = next[from][over];
        }
        __syncthreads();
    }
    if (t < n)
        ranks[t] = distance[from][t];
}
