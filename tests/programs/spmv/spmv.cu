// A sparse matrix (CSR) times a vector: a thread a row, and a warp a row.
#ifdef __clang__
#include "../clang.h"
#endif

// Row r holds r * 7 % 23 elements, at columns that a formula gives; rows[] is their running sum.
extern "C" __global__ void build(int *rows, int *columns, float *values, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r > n)
        return;
    int start = 0;
    for (int k = 0; k < r; k++)
        start += k * 7 % 23;
    rows[r] = start;
    if (r == n)
        return;
    for (int k = 0; k < r * 7 % 23; k++) {
        columns[start + k] = (r * 5 + k * k * 3) % n;
        values[start + k] = (float)((r + k) % 9 - 4) * 0.5f;
    }
}

extern "C" __global__ void thread_a_row(const int *rows, const int *columns, const float *values, const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n)
        return;
    float sum = 0;
    for (int k = rows[r]; k < rows[r + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[r] = sum;
}

extern "C" __global__ void warp_a_row(const int *__restrict__ rows, const int *__restrict__ columns, const float *__restrict__ values,
                                      const float *__restrict__ x, float *y, int n)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (r >= n)
        return;
    float sum = 0;
    for (int k = rows[r] + lane; k < rows[r + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[r] = sum;
}
