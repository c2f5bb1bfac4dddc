// Tiled matrix products in f32 and f64, and one whose threads load float4 and keep 4 × 4 sums in registers.
#ifdef __clang__
#include "../clang.h"
#endif

template <typename T, int TILE>
__device__ __forceinline__ void product(const T *a, const T *b, T *c, int m, int n, int k)
{
    __shared__ T as[TILE][TILE], bs[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;
    for (int start = 0; start < k; start += TILE) {
        int ak = start + threadIdx.x, bk = start + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && ak < k ? a[row * k + ak] : T(0);
        bs[threadIdx.y][threadIdx.x] = bk < k && column < n ? b[bk * n + column] : T(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

extern "C" __global__ void product_f32(const float *a, const float *b, float *c, int m, int n, int k)
{
    product<float, 16>(a, b, c, m, n, k);
}

extern "C" __global__ void product_f64(const double *a, const double *b, double *c, int m, int n, int k)
{
    product<double, 8>(a, b, c, m, n, k);
}

// m, n multiples of 32 and k of 4; block 8 × 8.
extern "C" __global__ void product_float4(const float4 *__restrict__ a, const float4 *__restrict__ b, float4 *__restrict__ c, int n, int k)
{
    __shared__ float4 bs[4][8];
    __shared__ float as[32][4];
    float sum[4][4] = {};
    int t = threadIdx.y * 8 + threadIdx.x;
    int row = blockIdx.y * 32, column = blockIdx.x * 8; // in rows, and in float4s
    for (int start = 0; start < k; start += 4) {
        if (t < 32) {
            float4 v = a[((row + t) * k + start) / 4];
            as[t][0] = v.x, as[t][1] = v.y, as[t][2] = v.z, as[t][3] = v.w;
        } else {
            int i = t - 32;
            bs[i / 8][i % 8] = b[(start + i / 8) * n / 4 + column + i % 8];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float4 right = bs[i][threadIdx.x];
#pragma unroll
            for (int r = 0; r < 4; r++) {
                float left = as[threadIdx.y * 4 + r][i];
                sum[r][0] += left * right.x;
                sum[r][1] += left * right.y;
                sum[r][2] += left * right.z;
                sum[r][3] += left * right.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 4; r++)
        c[(row + threadIdx.y * 4 + r) * n / 4 + column + threadIdx.x] = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
}
