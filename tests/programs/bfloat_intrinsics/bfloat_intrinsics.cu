// Intrinsics and functions of bfloat16, bfloat162.
#include <cuda_bf16.h>
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
__device__ __nv_bfloat16 h_of(unsigned n) { return __ushort_as_bfloat16((unsigned short)hash(n)); }
#define P(v) put(v)
struct Out { unsigned *at; unsigned n; __device__ void put(unsigned v) { *at = v; at += n; } __device__ void put(__nv_bfloat16 v) { put((unsigned)__bfloat16_as_ushort(v)); } __device__ void put(__nv_bfloat162 v) { put((unsigned)__bfloat16_as_ushort(v.x) | (unsigned)__bfloat16_as_ushort(v.y) << 16); } __device__ void put(bool v) { put(unsigned(v)); } __device__ void put(int v) { put(unsigned(v)); } __device__ void put(float v) { put(__float_as_uint(v)); } };
extern "C" __global__ void one(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int k = 0; k < 60; k++) out[k * n + i] = 0;
    Out o{out + i, n};
    __nv_bfloat16 a = h_of(3 * i), b = h_of(3 * i + 1), c = h_of(3 * i + 2);
    o.put(__hadd(a, b)); o.put(__hsub(a, b)); o.put(__hmul(a, b)); o.put(__hdiv(a, b)); o.put(__hadd_rn(a, b)); o.put(__hmul_rn(a, b)); o.put(__hadd_sat(a, b)); o.put(__hsub_sat(a, b)); o.put(__hmul_sat(a, b));
    o.put(__hfma(a, b, c)); o.put(__hfma_sat(a, b, c)); o.put(__hfma_relu(a, b, c)); o.put(__hneg(a)); o.put(__habs(a)); o.put(__hmax(a, b)); o.put(__hmin(a, b)); o.put(__hmax_nan(a, b)); o.put(__hmin_nan(a, b));
    o.put(__heq(a, b)); o.put(__hne(a, b)); o.put(__hlt(a, b)); o.put(__hle(a, b)); o.put(__hgt(a, b)); o.put(__hge(a, b)); o.put(__hequ(a, b)); o.put(__hneu(a, b)); o.put(__hltu(a, b)); o.put(__hleu(a, b)); o.put(__hgtu(a, b)); o.put(__hgeu(a, b));
    o.put(__hisnan(a)); o.put(__hisinf(a)); o.put(hceil(a)); o.put(hfloor(a)); o.put(htrunc(a)); o.put(hrint(a)); o.put(__bfloat162float(a)); o.put(__bfloat162int_rn(a)); o.put(__bfloat162int_rz(a)); o.put(__bfloat162int_rd(a)); o.put(__bfloat162int_ru(a));
    o.put((int)__bfloat162short_rn(a)); o.put((unsigned)__bfloat162ushort_rz(a)); o.put((int)__bfloat162ll_rn(a)); o.put(__int2bfloat16_rn(i * 77)); o.put(__uint2bfloat16_rz(i * 7777)); o.put(__short2bfloat16_rd((short)hash(i))); o.put(__ll2bfloat16_ru((long long)hash(i) << 8)); o.put(__ull2bfloat16_rn(hash(i)));
    o.put(__float2bfloat16_rn(__uint_as_float(hash(i)))); o.put(__float2bfloat16_rz(i * 0.3f)); o.put(__float2bfloat16_ru(i * 1e-6f)); o.put(__float2bfloat16_rd(-(float)i * 1e-5f)); o.put(__double2bfloat16(i * 0.123)); o.put((int)(signed char)__bfloat162char_rz(a)); o.put((unsigned)__bfloat162uchar_rz(a)); o.put((int)a); o.put((float)(a * b + c)); o.put(a < b); o.put(__nv_bfloat16(i * 0.5));
}
extern "C" __global__ void two(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int k = 0; k < 60; k++) out[k * n + i] = 0;
    Out o{out + i, n};
    __nv_bfloat162 a = __halves2bfloat162(h_of(6 * i), h_of(6 * i + 1)), b = __halves2bfloat162(h_of(6 * i + 2), h_of(6 * i + 3)), c = __halves2bfloat162(h_of(6 * i + 4), h_of(6 * i + 5));
    o.put(__hadd2(a, b)); o.put(__hsub2(a, b)); o.put(__hmul2(a, b)); o.put(__h2div(a, b)); o.put(__hadd2_sat(a, b)); o.put(__hsub2_sat(a, b)); o.put(__hmul2_sat(a, b)); o.put(__hfma2(a, b, c)); o.put(__hfma2_sat(a, b, c)); o.put(__hfma2_relu(a, b, c)); o.put(__hcmadd(a, b, c));
    o.put(__hneg2(a)); o.put(__habs2(a)); o.put(__hmax2(a, b)); o.put(__hmin2(a, b)); o.put(__hmax2_nan(a, b)); o.put(__hmin2_nan(a, b)); o.put(__heq2(a, b)); o.put(__hne2(a, b)); o.put(__hlt2(a, b)); o.put(__hleu2(a, b)); o.put(__hgtu2(a, b)); o.put(__hisnan2(a));
    o.put(__hbeq2(a, b)); o.put(__hbne2(a, b)); o.put(__hblt2(a, b)); o.put(__hbge2(a, b)); o.put(__hbltu2(a, b)); o.put(__heq2_mask(a, b)); o.put(__hlt2_mask(a, b)); o.put(__hgeu2_mask(a, b));
    o.put(__low2bfloat162(a)); o.put(__high2bfloat162(a)); o.put(__lowhigh2highlow(a)); o.put(__lows2bfloat162(a, b)); o.put(__highs2bfloat162(a, b)); o.put(__low2float(a)); o.put(__high2float(a)); o.put(__float22bfloat162_rn(make_float2(i * 0.7f, -0.01f * i)));
    o.put(h2ceil(a)); o.put(h2floor(a)); o.put(h2trunc(a)); o.put(h2rint(a)); o.put(a == b); o.put(-a); o.put(a * b + c); float2 f = __bfloat1622float2(c); o.put(f.x); o.put(f.y);
    o.put(__shfl_xor_sync(~0u, a, 5)); o.put(__shfl_down_sync(~0u, __low2bfloat16(a), 3)); o.put(__ldg((const __nv_bfloat162 *)out)); o.put(__ldcg((const __nv_bfloat16 *)out));
}
extern "C" __global__ void functions(float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    __nv_bfloat16 x = __float2bfloat16((int(hash(i)) >> 16) * (i % 3 ? 1e-4f : 2e-3f));
    __nv_bfloat162 v = __halves2bfloat162(x, __habs(x));
    __nv_bfloat162 s = h2sqrt(v), e = h2exp(v), l = h2log(v), q = h2rsqrt(v), c = h2cos(v);
    __nv_bfloat16 r[30] = {hsqrt(x), hrsqrt(x), hrcp(x), hlog(x), hlog2(x), hlog10(x), hexp(x), hexp2(x), hexp10(x), hcos(x), hsin(x), htanh(x), htanh_approx(x), __low2bfloat16(s), __high2bfloat16(s), __low2bfloat16(e), __high2bfloat16(e), __low2bfloat16(l), __high2bfloat16(l), __low2bfloat16(q), __high2bfloat16(q), __low2bfloat16(c), __high2bfloat16(c),
        __low2bfloat16(h2rcp(v)), __high2bfloat16(h2sin(v)), __low2bfloat16(h2exp2(v)), __high2bfloat16(h2log2(v)), __low2bfloat16(h2tanh(v)), __high2bfloat16(h2tanh_approx(v)), __high2bfloat16(h2exp10(v))};
    for (int k = 0; k < 30; k++) out[k * n + i] = __bfloat162float(r[k]);
}
