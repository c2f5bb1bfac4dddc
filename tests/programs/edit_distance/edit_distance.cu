// Dynamic programmes along diagonals: edit distance, local alignment with its way back, a knapsack by rows, and all
// shortest paths of a graph.
#ifdef __clang__
#include "../clang.h"
#endif

__device__ __forceinline__ int least(int a, int b, int c) { return min(a, min(b, c)); }

// Three diagonals in shared memory; thread i holds row i.
extern "C" __global__ void levenshtein(const unsigned char *a, const unsigned char *b, int *distances, int n, int m)
{
    extern __shared__ short diagonals[];
    a += blockIdx.x * n;
    b += blockIdx.x * m;
    short *older = diagonals, *old = older + n + 1, *now = old + n + 1;
    for (int d = 0; d <= n + m; d++) {
        for (int i = threadIdx.x; i <= n; i += blockDim.x) {
            int j = d - i;
            if (j < 0 || j > m)
                continue;
            if (i == 0 || j == 0)
                now[i] = d;
            else
                now[i] = least(old[i - 1] + 1, old[i] + 1, older[i - 1] + ((a[i - 1] & 3) != (b[j - 1] & 3)));
        }
        __syncthreads();
        short *free = older;
        older = old;
        old = now;
        now = free;
    }
    if (threadIdx.x == 0)
        distances[blockIdx.x] = old[n];
}

// Scores stay in a matrix; thread 0 then walks back from the best and writes the steps.
extern "C" __global__ void smith_waterman(const unsigned char *a, const unsigned char *b, int *score, char *steps, int *best, int n, int m)
{
    __shared__ int high, place;
    if (threadIdx.x == 0)
        high = 0, place = 0x7fffffff;
    for (int d = 2; d <= n + m; d++) {
        __syncthreads();
        for (int i = 1 + threadIdx.x; i <= n; i += blockDim.x) {
            int j = d - i;
            if (j < 1 || j > m)
                continue;
            int *here = score + i * (m + 1) + j;
            int v = max(here[-m - 2] + ((a[i - 1] & 3) == (b[j - 1] & 3) ? 3 : -2), max(here[-1], here[-m - 1]) - 2);
            *here = max(v, 0);
            atomicMax(&high, v);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < (n + 1) * (m + 1); k += blockDim.x)
        if (score[k] == high)
            atomicMin(&place, k);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    int at = place, k = 0;
    best[0] = high;
    best[1] = place;
    while (score[at] > 0) {
        int i = at / (m + 1), j = at % (m + 1);
        if (score[at] == score[at - m - 2] + ((a[i - 1] & 3) == (b[j - 1] & 3) ? 3 : -2)) {
            steps[k++] = 'd';
            at -= m + 2;
        } else if (score[at] == score[at - 1] - 2) {
            steps[k++] = 'l';
            at -= 1;
        } else {
            steps[k++] = 'u';
            at -= m + 1;
        }
    }
    best[2] = k;
}

extern "C" __global__ void knapsack(const int *weights, const int *values, unsigned *best, int items, int room)
{
    __shared__ unsigned two[2][257];
    for (int w = threadIdx.x; w <= room; w += blockDim.x)
        two[0][w] = 0;
    __syncthreads();
    int from = 0;
    for (int k = 0; k < items; k++) {
        int weight = weights[k], value = values[k];
        for (int w = threadIdx.x; w <= room; w += blockDim.x) {
            unsigned v = two[from][w];
            if (w >= weight && two[from][w - weight] + value > v)
                v = two[from][w - weight] + value;
            two[from ^ 1][w] = v;
        }
        from ^= 1;
        __syncthreads();
    }
    for (int w = threadIdx.x; w <= room; w += blockDim.x)
        best[w] = two[from][w];
}

// Floyd and Warshall, a launch a stage: within it row and column k do not change.
extern "C" __global__ void shortest(int *distance, unsigned char *through, int n, int k)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n || i == k || j == k)
        return;
    int by = distance[i * n + k] + distance[k * n + j];
    if (by < distance[i * n + j]) {
        distance[i * n + j] = by;
        through[i * n + j] = k;
    }
}
