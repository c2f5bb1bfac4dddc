// Mixed precision: axpy on pairs of halves, dot products of bfloat16 with float sums, quantisation to bytes with dp4a,
// a histogram in doubles by compare and swap and by atomics, Kahan sums, and packed loads of eight halves.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void axpy(const __half2 *x, __half2 *y, float a, int n)
{
    __half2 factor = __float2half2_rn(a);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = __hfma2(factor, x[i], y[i]);
}

union Eight {
    uint4 raw;
    __half2 pairs[4];
};

// Rows of halves, scaled so that the greatest of each is 1.
extern "C" __global__ void normalise(const uint4 *in, uint4 *out, int fours)
{
    Eight e;
    e.raw = in[blockIdx.x * fours + threadIdx.x];
    __half2 most = __habs2(e.pairs[0]);
#pragma unroll
    for (int k = 1; k < 4; k++)
        most = __hmax2(most, __habs2(e.pairs[k]));
    float m = fmaxf(__low2float(most), __high2float(most));
    for (int d = 16; d > 0; d >>= 1)
        m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float2 f = __half22float2(e.pairs[k]);
        e.pairs[k] = __floats2half2_rn(__fdiv_rn(f.x, m), __fdiv_rn(f.y, m));
    }
    out[blockIdx.x * fours + threadIdx.x] = e.raw;
}

extern "C" __global__ void bfloat_dot(const float *a, const float *b, float *dots, __nv_bfloat16 *rounded, int n)
{
    __shared__ float sums[2];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        __nv_bfloat16 p = __float2bfloat16(a[blockIdx.x * n + i]), q = __float2bfloat16_rn(b[i]);
        sum = __fmaf_rn(__bfloat162float(p), __bfloat162float(q), sum);
    }
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        dots[blockIdx.x] = sums[0] + sums[1];
        rounded[blockIdx.x] = __float2bfloat16(sums[0] + sums[1]);
    }
}

extern "C" __global__ void quantised(const float *a, const float *b, int *dots, signed char *bytes, int n)
{
    int sum = 0, row = threadIdx.x;
    for (int k = 0; k < n; k += 4) {
        char4 p, q;
        signed char *ps = reinterpret_cast<signed char *>(&p), *qs = reinterpret_cast<signed char *>(&q);
        for (int j = 0; j < 4; j++) {
            ps[j] = (signed char)max(-128, min(127, __float2int_rn(a[row * n + k + j] * 127.0f)));
            qs[j] = (signed char)max(-128, min(127, __float2int_rn(b[k + j] * 127.0f)));
            bytes[row * n + k + j] = ps[j];
        }
        sum = __dp4a(p, q, sum);
    }
    dots[row] = sum;
}

__device__ double add_by_swap(double *at, double v)
{
    unsigned long long *word = reinterpret_cast<unsigned long long *>(at), old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __double_as_longlong(v + __longlong_as_double(seen)));
    } while (old != seen);
    return __longlong_as_double(old);
}

// Multiples of 2^-10: exact in any order.
extern "C" __global__ void histogram(const float *in, double *by_swap, double *by_add, float *largest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = rint(in[i] * 1024.0) * 0x1p-10;
    int bin = (int)((in[i] + 1) * 4) & 7;
    add_by_swap(by_swap + bin, v);
    atomicAdd(by_add + bin, v);
    int bits = __float_as_int(in[i]);
    if (bits >= 0)
        atomicMax(reinterpret_cast<int *>(largest), bits);
    else
        atomicMin(reinterpret_cast<unsigned *>(largest + 1), ~bits);
}

extern "C" __global__ void kahan(const float *in, float *out, int n)
{
    float sum = 0, lost = 0, plain = 0;
    for (int k = 0; k < n; k++) {
        float v = __fmul_rn(in[(k * 7 + threadIdx.x) % n], 1.0f + 1000.0f * (k % 3 == 0));
        float y = __fsub_rn(v, lost), t = __fadd_rn(sum, y);
        lost = __fsub_rn(__fsub_rn(t, sum), y);
        sum = t;
        plain = __fadd_rn(plain, v);
    }
    out[2 * threadIdx.x] = sum;
    out[2 * threadIdx.x + 1] = plain;
}
