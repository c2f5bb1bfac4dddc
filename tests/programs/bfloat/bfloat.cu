// bfloat16, alone and in pairs. Results are stored as bits.
#include <cuda_bf16.h>

extern "C" __global__ void arithmetic(const float *in, unsigned short *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __nv_bfloat16 a = __float2bfloat16(in[i]), b = __float2bfloat16_rz(in[(i + 7) % n]);
    __nv_bfloat16 r[10] = {
        a + b, a * b, a - b, __hfma(a, b, a), __hmin(a, b), __hmax(__habs(a), b), -a,
        __int2bfloat16_rn(i * 129), __double2bfloat16(in[i] / 3.0), a < b ? a : hfloor(b),
    };
    for (int k = 0; k < 10; k++)
        out[10 * i + k] = __bfloat16_as_ushort(r[k]);
}

extern "C" __global__ void pairs(const float2 *in, float2 *out, __nv_bfloat162 *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __nv_bfloat162 a = __float22bfloat162_rn(in[i]), b = __floats2bfloat162_rn(1.5f, -0.5f);
    for (int k = 0; k < 3; k++)
        b = __hfma2(a, b, __hmul2(b, b));
    out[i] = __bfloat1622float2(__hmax2(b, __hadd2(a, b)));
    atomicAdd(sum, __floats2bfloat162_rn(i % 2, i % 3 == 0 ? 2.0f : 0.0f)); // exact in any order
}

extern "C" __global__ void functions(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __nv_bfloat16 x = __float2bfloat16(in[i]);
    out[3 * i] = __bfloat162float(hexp(x));
    out[3 * i + 1] = __bfloat162float(hsqrt(__habs(x)));
    out[3 * i + 2] = __bfloat162float(hlog2(__habs(x) + __float2bfloat16(1.0f)));
}
