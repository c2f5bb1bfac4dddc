// IEEE half precision, alone and in pairs: arithmetic, comparisons, conversions, functions, atomics.
#include <cuda_fp16.h>

extern "C" __global__ void arithmetic(const float *in, half *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    half a = __float2half(in[i]), b = __float2half_rz(in[(i + 1) % n]), c = __float2half_ru(in[(i * 3) % n] * 0.01f);
    half *mine = out + 16 * i;
    mine[0] = a + b;
    mine[1] = a * b;
    mine[2] = a - c;
    mine[3] = a / b;
    mine[4] = __hfma(a, b, c);
    mine[5] = __hmin(a, c);
    mine[6] = __hmax(a, c);
    mine[7] = -__habs(b);
    mine[8] = a > b ? c : a;
    mine[9] = hfloor(a);
    mine[10] = hrint(b);
    mine[11] = __int2half_rn(__half2int_rz(a) * 3);
    mine[12] = __ushort2half_rn((unsigned short)(i * 700));
    mine[13] = __double2half(in[i] * 1.0000001);
    mine[14] = __hadd_sat(c, b);
    mine[15] = __short_as_half(__half_as_short(a) ^ 1);
}

extern "C" __global__ void pairs(const half2 *in, half2 *out, float *wide, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    half2 a = in[i], b = __lowhigh2highlow(in[(i + 1) % n]);
    half2 sum = __floats2half2_rn(0.0f, 1.0f);
    for (int k = 0; k < 4; k++)
        sum = __hfma2(a, __hadd2(b, __half2half2(__int2half_rn(k))), sum);
    out[4 * i] = sum;
    out[4 * i + 1] = h2rcp(__hmax2(a, __float2half2_rn(0.25f)));
    out[4 * i + 2] = __hsub2(__hmul2(a, a), __hgt2(a, b));
    out[4 * i + 3] = __halves2half2(__high2half(a), __hbgt2(a, b) ? __low2half(b) : __low2half(a));
    float2 f = __half22float2(sum);
    wide[i] = f.x - 2.0f * f.y + (__hisnan(sum.x) ? 1 : 0) + (__hbeq2(a, a) ? 100 : 0);
}

extern "C" __global__ void functions(const float *in, half *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    half x = __float2half(in[i]);
    half *mine = out + 8 * i;
    mine[0] = hexp(x);
    mine[1] = hlog(__habs(x) + __float2half(0.5f));
    mine[2] = hsqrt(__habs(x));
    mine[3] = hrsqrt(__habs(x) + __float2half(0.125f));
    mine[4] = hsin(x);
    mine[5] = hcos(x);
    mine[6] = hexp2(x);
    mine[7] = htanh(x);
}

// Sums of small multiples of powers of two, exact in any order.
extern "C" __global__ void sums(half2 *pair, half *single, float *f, double *d)
{
    int i = threadIdx.x;
    atomicAdd(pair, __floats2half2_rn(i % 4, 0.5f * (i % 3)));
    atomicAdd(single + i % 2, __int2half_rn(i % 5));
    atomicAdd(f, i * 0.25f);
    atomicAdd(d + i % 3, i * 0.125);
}
