// Graphs in CSR form: a frontier of breadth-first search with queues, connected components by union-find with compare and
// swap, colours by Luby's rounds, PageRank in integers, and triangles by merging lists.
#ifdef __clang__
#include "../clang.h"
#endif

// A circulant-like graph, the same both ways: v is joined to v ± 1, and to v ± 7 where v % 3 is 0 in its lower end, but
// edges across multiples of 40 are left out, so that there are components.
__device__ bool joined(int u, int v)
{
    int low = min(u, v), high = max(u, v), d = high - low;
    return u != v && low / 40 == high / 40 && (d == 1 || (d == 7 && low % 3 == 0) || (d == 2 && low % 5 == 0));
}

extern "C" __global__ void build(int *rows, int *columns, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v > n)
        return;
    int start = 0;
    for (int u = 0; u < v; u++)
        for (int w = max(0, u - 7); w <= min(n - 1, u + 7); w++)
            start += joined(u, w);
    rows[v] = start;
    if (v < n)
        for (int w = max(0, v - 7); w <= min(n - 1, v + 7); w++)
            if (joined(v, w))
                columns[start++] = w;
}

// sizes[0] is this frontier's, sizes[1] becomes the next one's; the launch after resets it.
extern "C" __global__ void frontier(const int *rows, const int *columns, int *level, const int *now, int *next, int *sizes, int depth, int parity)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= sizes[parity])
        return;
    int v = now[i];
    for (int e = rows[v]; e < rows[v + 1]; e++) {
        int u = columns[e];
        if (atomicCAS(level + u, -1, depth) == -1)
            next[atomicAdd(sizes + (parity ^ 1), 1)] = u;
    }
}

extern "C" __global__ void empty(int *sizes, int parity) { sizes[parity] = 0; }

__device__ int root(volatile int *parent, int v)
{
    int up = parent[v];
    while (up != v) {
        int above = parent[up];
        if (above != up)
            parent[v] = above;
        v = up;
        up = above;
    }
    return v;
}

extern "C" __global__ void unite(const int *rows, const int *columns, int *parent, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    for (int e = rows[v]; e < rows[v + 1]; e++) {
        int a = v, b = columns[e];
        for (;;) {
            a = root(parent, a);
            b = root(parent, b);
            if (a == b)
                break;
            int low = min(a, b), high = max(a, b);
            if (atomicCAS(parent + high, high, low) == high)
                break;
        }
    }
}

extern "C" __global__ void flatten(int *parent, int *sizes, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    int top = v;
    while (*(volatile int *)(parent + top) != top)
        top = *(volatile int *)(parent + top);
    atomicAdd(sizes + top, 1);
}

__device__ unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// A vertex takes the round's colour if it is the greatest of its neighbours that have none before the round.
extern "C" __global__ void colour(const int *rows, const int *columns, const int *before, int *after, int n, int round)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    int mine = before[v];
    if (mine < 0) {
        bool greatest = true;
        for (int e = rows[v]; greatest && e < rows[v + 1]; e++) {
            int u = columns[e];
            greatest = before[u] >= 0 || hash(u) < hash(v);
        }
        if (greatest)
            mine = round;
    }
    after[v] = mine;
}

extern "C" __global__ void rank(const int *rows, const int *columns, const unsigned *before, unsigned *after, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    unsigned sum = 0;
    for (int e = rows[v]; e < rows[v + 1]; e++) {
        int u = columns[e];
        sum += before[u] / (unsigned)(rows[u + 1] - rows[u]);
    }
    after[v] = 1500 + (sum >> 3) * 7 - sum % 5;
}

extern "C" __global__ void triangles(const int *rows, const int *columns, unsigned long long *count, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long mine = 0;
    if (v < n)
        for (int e = rows[v]; e < rows[v + 1]; e++) {
            int u = columns[e];
            if (u <= v)
                continue;
            int i = rows[v], j = rows[u];
            while (i < rows[v + 1] && j < rows[u + 1]) {
                int a = columns[i], b = columns[j];
                mine += a == b && a > u;
                i += a <= b;
                j += b <= a;
            }
        }
    if (mine)
        atomicAdd(count, mine);
}
