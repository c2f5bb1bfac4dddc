// Intrinsics and functions of half, half2.
#include <cuda_fp16.h>
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
__device__ __half h_of(unsigned n) { return __ushort_as_half((unsigned short)hash(n)); }
#define P(v) put(v)
struct Out { unsigned *at; unsigned n; __device__ void put(unsigned v) { *at = v; at += n; } __device__ void put(__half v) { put((unsigned)__half_as_ushort(v)); } __device__ void put(__half2 v) { put((unsigned)__half_as_ushort(v.x) | (unsigned)__half_as_ushort(v.y) << 16); } __device__ void put(bool v) { put(unsigned(v)); } __device__ void put(int v) { put(unsigned(v)); } __device__ void put(float v) { put(__float_as_uint(v)); } };
extern "C" __global__ void one(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int k = 0; k < 60; k++) out[k * n + i] = 0;
    Out o{out + i, n};
    __half a = h_of(3 * i), b = h_of(3 * i + 1), c = h_of(3 * i + 2);
    o.put(__hadd(a, b)); o.put(__hsub(a, b)); o.put(__hmul(a, b)); o.put(__hdiv(a, b)); o.put(__hadd_rn(a, b)); o.put(__hmul_rn(a, b)); o.put(__hadd_sat(a, b)); o.put(__hsub_sat(a, b)); o.put(__hmul_sat(a, b));
    o.put(__hfma(a, b, c)); o.put(__hfma_sat(a, b, c)); o.put(__hfma_relu(a, b, c)); o.put(__hneg(a)); o.put(__habs(a)); o.put(__hmax(a, b)); o.put(__hmin(a, b)); o.put(__hmax_nan(a, b)); o.put(__hmin_nan(a, b));
    o.put(__heq(a, b)); o.put(__hne(a, b)); o.put(__hlt(a, b)); o.put(__hle(a, b)); o.put(__hgt(a, b)); o.put(__hge(a, b)); o.put(__hequ(a, b)); o.put(__hneu(a, b)); o.put(__hltu(a, b)); o.put(__hleu(a, b)); o.put(__hgtu(a, b)); o.put(__hgeu(a, b));
    o.put(__hisnan(a)); o.put(__hisinf(a)); o.put(hceil(a)); o.put(hfloor(a)); o.put(htrunc(a)); o.put(hrint(a)); o.put(__half2float(a)); o.put(__half2int_rn(a)); o.put(__half2int_rz(a)); o.put(__half2int_rd(a)); o.put(__half2int_ru(a));
    o.put((int)__half2short_rn(a)); o.put((unsigned)__half2ushort_rz(a)); o.put((int)__half2ll_rn(a)); o.put(__int2half_rn(i * 77)); o.put(__uint2half_rz(i * 7777)); o.put(__short2half_rd((short)hash(i))); o.put(__ll2half_ru((long long)hash(i) << 8)); o.put(__ull2half_rn(hash(i)));
    o.put(__float2half_rn(__uint_as_float(hash(i)))); o.put(__float2half_rz(i * 0.3f)); o.put(__float2half_ru(i * 1e-6f)); o.put(__float2half_rd(-(float)i * 1e-5f)); o.put(__double2half(i * 0.123)); o.put((int)(signed char)__half2char_rz(a)); o.put((unsigned)__half2uchar_rz(a)); o.put((int)a); o.put((float)(a * b + c)); o.put(a < b); o.put(__half(i * 0.5));
}
extern "C" __global__ void two(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int k = 0; k < 60; k++) out[k * n + i] = 0;
    Out o{out + i, n};
    __half2 a = __halves2half2(h_of(6 * i), h_of(6 * i + 1)), b = __halves2half2(h_of(6 * i + 2), h_of(6 * i + 3)), c = __halves2half2(h_of(6 * i + 4), h_of(6 * i + 5));
    o.put(__hadd2(a, b)); o.put(__hsub2(a, b)); o.put(__hmul2(a, b)); o.put(__h2div(a, b)); o.put(__hadd2_sat(a, b)); o.put(__hsub2_sat(a, b)); o.put(__hmul2_sat(a, b)); o.put(__hfma2(a, b, c)); o.put(__hfma2_sat(a, b, c)); o.put(__hfma2_relu(a, b, c)); o.put(__hcmadd(a, b, c));
    o.put(__hneg2(a)); o.put(__habs2(a)); o.put(__hmax2(a, b)); o.put(__hmin2(a, b)); o.put(__hmax2_nan(a, b)); o.put(__hmin2_nan(a, b)); o.put(__heq2(a, b)); o.put(__hne2(a, b)); o.put(__hlt2(a, b)); o.put(__hleu2(a, b)); o.put(__hgtu2(a, b)); o.put(__hisnan2(a));
    o.put(__hbeq2(a, b)); o.put(__hbne2(a, b)); o.put(__hblt2(a, b)); o.put(__hbge2(a, b)); o.put(__hbltu2(a, b)); o.put(__heq2_mask(a, b)); o.put(__hlt2_mask(a, b)); o.put(__hgeu2_mask(a, b));
    o.put(__low2half2(a)); o.put(__high2half2(a)); o.put(__lowhigh2highlow(a)); o.put(__lows2half2(a, b)); o.put(__highs2half2(a, b)); o.put(__low2float(a)); o.put(__high2float(a)); o.put(__float22half2_rn(make_float2(i * 0.7f, -0.01f * i)));
    o.put(h2ceil(a)); o.put(h2floor(a)); o.put(h2trunc(a)); o.put(h2rint(a)); o.put(a == b); o.put(-a); o.put(a * b + c); float2 f = __half22float2(c); o.put(f.x); o.put(f.y);
    o.put(__shfl_xor_sync(~0u, a, 5)); o.put(__shfl_down_sync(~0u, __low2half(a), 3)); o.put(__ldg((const __half2 *)out)); o.put(__ldcg((const __half *)out));
}
extern "C" __global__ void functions(float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    __half x = __float2half((int(hash(i)) >> 16) * (i % 3 ? 1e-4f : 2e-3f));
    __half2 v = __halves2half2(x, __habs(x));
    __half2 s = h2sqrt(v), e = h2exp(v), l = h2log(v), q = h2rsqrt(v), c = h2cos(v);
    __half r[30] = {hsqrt(x), hrsqrt(x), hrcp(x), hlog(x), hlog2(x), hlog10(x), hexp(x), hexp2(x), hexp10(x), hcos(x), hsin(x), htanh(x), htanh_approx(x), __low2half(s), __high2half(s), __low2half(e), __high2half(e), __low2half(l), __high2half(l), __low2half(q), __high2half(q), __low2half(c), __high2half(c),
        __low2half(h2rcp(v)), __high2half(h2sin(v)), __low2half(h2exp2(v)), __high2half(h2log2(v)), __low2half(h2tanh(v)), __high2half(h2tanh_approx(v)), __high2half(h2exp10(v))};
    for (int k = 0; k < 30; k++) out[k * n + i] = __half2float(r[k]);
}
