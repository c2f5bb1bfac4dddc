// Half precision (binary16): types, operators, intrinsics and functions of the CUDA Math API's chapter "Half".
#pragma once
#ifndef __CUDA_ARCH__
#include <half_host.inc>
#endif
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

struct __half_raw {
    unsigned short x;
};
struct alignas(4) __half2_raw {
    unsigned short x, y;
};
struct __nv_bfloat16;
struct __half {
    unsigned short __x;
    __half() = default;
    // cuda_bf16.h has it.
    __device__ explicit __half(__nv_bfloat16 v);
    __device__ constexpr __half(const __half_raw &raw) : __x(raw.x) {}
    __device__ __half(float v) : __x(__builtin_cvt_rn_f16_f32(v)) {}
    __device__ __half(double v) : __x(__builtin_cvt_rn_f16_f64(v)) {}
    __device__ __half(short v) : __x(__builtin_cvt_rn_f16_s16(v)) {}
    __device__ __half(unsigned short v) : __x(__builtin_cvt_rn_f16_u16(v)) {}
    __device__ __half(int v) : __x(__builtin_cvt_rn_f16_s32(v)) {}
    __device__ __half(unsigned v) : __x(__builtin_cvt_rn_f16_u32(v)) {}
    __device__ __half(long v) : __x(__builtin_cvt_rn_f16_s64(v)) {}
    __device__ __half(unsigned long v) : __x(__builtin_cvt_rn_f16_u64(v)) {}
    __device__ __half(long long v) : __x(__builtin_cvt_rn_f16_s64(v)) {}
    __device__ __half(unsigned long long v) : __x(__builtin_cvt_rn_f16_u64(v)) {}
    __device__ operator __half_raw() const
    {
        __half_raw raw;
        raw.x = __x;
        return raw;
    }
    __device__ operator float() const { return __builtin_cvt_f32_f16(__x); }
    __device__ operator bool() const { return (__x & 0x7fff) != 0; }
    __device__ operator signed char() const { return (signed char)max(-128, min(127, __builtin_cvt_rz_s32_f16(__x))); }
    __device__ operator char() const { return (char)max(-128, min(127, __builtin_cvt_rz_s32_f16(__x))); }
    __device__ operator unsigned char() const { return (unsigned char)max(0, min(255, __builtin_cvt_rz_s32_f16(__x))); }
    __device__ operator short() const { return __builtin_cvt_rz_s16_f16(__x); }
    __device__ operator unsigned short() const { return __builtin_cvt_rz_u16_f16(__x); }
    __device__ operator int() const { return __builtin_cvt_rz_s32_f16(__x); }
    __device__ operator unsigned() const { return __builtin_cvt_rz_u32_f16(__x); }
    __device__ operator long() const { return __builtin_cvt_rz_s64_f16(__x); }
    __device__ operator unsigned long() const { return __builtin_cvt_rz_u64_f16(__x); }
    __device__ operator long long() const { return __builtin_cvt_rz_s64_f16(__x); }
    __device__ operator unsigned long long() const { return __builtin_cvt_rz_u64_f16(__x); }
#define ASSIGN(T)                                                                                                               \
    __device__ __half &operator=(T v)                                                                                           \
    {                                                                                                                           \
        __x = __half(v).__x;                                                                                                    \
        return *this;                                                                                                           \
    }
    ASSIGN(float)
    ASSIGN(double)
    ASSIGN(short)
    ASSIGN(unsigned short)
    ASSIGN(int)
    ASSIGN(unsigned)
    ASSIGN(long long)
    ASSIGN(unsigned long long)
#undef ASSIGN
};
struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    __device__ constexpr __half2(const __half &a, const __half &b) : x(a), y(b) {}
    __device__ __half2(const __half2_raw &raw)
    {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    __device__ operator __half2_raw() const
    {
        __half2_raw raw;
        raw.x = x.__x;
        raw.y = y.__x;
        return raw;
    }
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;

// Bits.
__device__ inline unsigned short __half_as_ushort(__half h) { return h.__x; }
__device__ inline short __half_as_short(__half h) { return (short)h.__x; }
__device__ inline __half __ushort_as_half(unsigned short bits)
{
    __half h;
    h.__x = bits;
    return h;
}
__device__ inline __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }

// Conversions.
__device__ inline float __half2float(__half h) { return __builtin_cvt_f32_f16(h.__x); }
__device__ inline __half __float2half(float v) { return __ushort_as_half(__builtin_cvt_rn_f16_f32(v)); }
__device__ inline __half __double2half(double v) { return __ushort_as_half(__builtin_cvt_rn_f16_f64(v)); }
#define CONVERSION(R, T, C, LETTER)                                                                                             \
    __device__ inline __half __##C##2half_##R(T v) { return __ushort_as_half(__builtin_cvt_##R##_f16_##LETTER(v)); }            \
    __device__ inline T __half2##C##_##R(__half h) { return __builtin_cvt_##R##_##LETTER##_f16(h.__x); }
#define CONVERSIONS(R)                                                                                                          \
    __device__ inline __half __float2half_##R(float v) { return __ushort_as_half(__builtin_cvt_##R##_f16_f32(v)); }             \
    CONVERSION(R, short, short, s16)                                                                                            \
    CONVERSION(R, unsigned short, ushort, u16)                                                                                  \
    CONVERSION(R, int, int, s32)                                                                                                \
    CONVERSION(R, unsigned, uint, u32)                                                                                          \
    CONVERSION(R, long long, ll, s64)                                                                                           \
    CONVERSION(R, unsigned long long, ull, u64)
CONVERSIONS(rn)
CONVERSIONS(rz)
CONVERSIONS(ru)
CONVERSIONS(rd)
#undef CONVERSION
#undef CONVERSIONS
__device__ inline signed char __half2char_rz(__half h) { return (signed char)h; }
__device__ inline unsigned char __half2uchar_rz(__half h) { return (unsigned char)h; }

#define B(OPERATION) __f16_##OPERATION
#define __f16_infinity 0x7c00
#define __f16_one 0x3c00
#define __f16_wide __half2float
#define __f16_narrow __float2half
__device__ inline __half2 __f16_two(__half a, __half b)
{
    __half2 v;
    v.x = a;
    v.y = b;
    return v;
}
#define __f16_off_exp(x) -(x == 0x1f79 || x == 0x25cf)
#define __f16_off_exp2(x) (x == 0x11c5)
#define __f16_off_exp10(x) -(x == 0xbf0a)
#define __f16_off_log(x) -(x == 0x1d78)
#define __f16_off_log10(x) (x == 0x33f8 || x == 0x69d0) - (x == 0x338f || x == 0x57e1 || x == 0x719d)
#define __f16_off_sin(x) ((x & 0x7fff) == 0x32b3) - ((x & 0x7fff) == 0x5cb0)
#define __f16_off_cos(x) ((x & 0x7fff) == 0x2b7c)
#define __f16_atomic_add __builtin_atomic_add_f16
#define __f16_atomic_add2 __builtin_atomic_add_f16x2
#define ATOMIC1 700
#define ATOMIC2 600
#define W __builtin_cvt_f32_f16
#define N __builtin_cvt_rn_f16_f32
#if __CUDA_ARCH__ >= 530
#define __f16_add __builtin_add_f16
#define __f16_add2 __builtin_add_f16x2
#define __f16_sub __builtin_sub_f16
#define __f16_sub2 __builtin_sub_f16x2
// As inline assembly, of which none is merged: a product that is used once ptxas may fuse with a sum, so what NVRTC computes twice is
// computed twice.
__device__ inline unsigned short __f16_mul(unsigned short a, unsigned short b)
{
    unsigned short product;
    asm("mul.f16 %0, %1, %2;" : "=h"(product) : "h"(a), "h"(b));
    return product;
}
__device__ inline unsigned __f16_mul2(unsigned a, unsigned b)
{
    unsigned product;
    asm("mul.f16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
    return product;
}
#define __f16_fma __builtin_fma_f16
#define __f16_fma2 __builtin_fma_f16x2
#define __f16_add_rn __builtin_add_rn_f16
#define __f16_add_rn2 __builtin_add_rn_f16x2
#define __f16_sub_rn __builtin_sub_rn_f16
#define __f16_sub_rn2 __builtin_sub_rn_f16x2
#define __f16_mul_rn __builtin_mul_rn_f16
#define __f16_mul_rn2 __builtin_mul_rn_f16x2
#define __f16_neg __builtin_neg_f16
#define __f16_neg2 __builtin_neg_f16x2
#define __f16_abs __builtin_abs_f16
#define __f16_abs2 __builtin_abs_f16x2
#define __f16_add_sat __builtin_add_sat_f16
#define __f16_add_sat2 __builtin_add_sat_f16x2
#define __f16_sub_sat __builtin_sub_sat_f16
#define __f16_sub_sat2 __builtin_sub_sat_f16x2
#define __f16_mul_sat __builtin_mul_sat_f16
#define __f16_mul_sat2 __builtin_mul_sat_f16x2
#define __f16_fma_sat __builtin_fma_sat_f16
#define __f16_fma_sat2 __builtin_fma_sat_f16x2
#define COMPARISON(C)                                                                                                           \
    __device__ inline bool __f16_set_##C(unsigned short a, unsigned short b) { return __builtin_set_##C##_f16(a, b); }          \
    __device__ inline unsigned __f16_set2_##C(unsigned a, unsigned b) { return __builtin_set_##C##_f16x2(a, b); }        \
    __device__ inline unsigned __f16_mask2_##C(unsigned a, unsigned b) { return __builtin_mask_##C##_f16x2(a, b); }
COMPARISON(eq)
COMPARISON(ne)
COMPARISON(lt)
COMPARISON(le)
COMPARISON(gt)
COMPARISON(ge)
COMPARISON(equ)
COMPARISON(neu)
COMPARISON(ltu)
COMPARISON(leu)
COMPARISON(gtu)
COMPARISON(geu)
#undef COMPARISON
#else
#define EMULATE_ARITHMETIC
#define EMULATE_SATURATION
#define EMULATE_COMPARISONS
#endif
#if __CUDA_ARCH__ >= 800
#define __f16_min __builtin_min_f16
#define __f16_min2 __builtin_min_f16x2
#define __f16_max __builtin_max_f16
#define __f16_max2 __builtin_max_f16x2
#define __f16_min_nan __builtin_min_nan_f16
#define __f16_min_nan2 __builtin_min_nan_f16x2
#define __f16_max_nan __builtin_max_nan_f16
#define __f16_max_nan2 __builtin_max_nan_f16x2
#define __f16_fma_relu __builtin_fma_relu_f16
#define __f16_fma_relu2 __builtin_fma_relu_f16x2
#else
#define EMULATE_EXTREMES
#endif
#if __CUDA_ARCH__ >= 750
#define __f16_tanh __builtin_tanh_f16
#define __f16_tanh2 __builtin_tanh_f16x2
#else
#define EMULATE_TANH
#endif
#include "half_emulated.inc"
#undef W
#undef N
#define H __half
#define H2 __half2
#include "half_family.inc"
#undef H
#undef H2
#undef B
#undef ATOMIC1
#undef ATOMIC2

// Two at once.
__device__ inline __half2 make_half2(__half a, __half b) { return __f16_two(a, b); }
__device__ inline __half2 __halves2half2(__half a, __half b) { return __f16_two(a, b); }
__device__ inline __half2 __half2half2(__half a) { return __f16_two(a, a); }
__device__ inline __half2 __float2half2_rn(float v) { return __half2half2(__float2half(v)); }
#if __CUDA_ARCH__ >= 800
__device__ inline __half2 __floats2half2_rn(float a, float b) { return __f16_pair(__builtin_cvt_rn_f16x2_f32(b, a)); }
#else
__device__ inline __half2 __floats2half2_rn(float a, float b) { return __f16_two(__float2half(a), __float2half(b)); }
#endif
__device__ inline __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
__device__ inline float2 __half22float2(__half2 v) { return make_float2(__half2float(v.x), __half2float(v.y)); }
__device__ inline __half __low2half(__half2 v) { return v.x; }
__device__ inline __half __high2half(__half2 v) { return v.y; }
__device__ inline __half2 __low2half2(__half2 v) { return __f16_two(v.x, v.x); }
__device__ inline __half2 __high2half2(__half2 v) { return __f16_two(v.y, v.y); }
__device__ inline __half2 __lows2half2(__half2 a, __half2 b) { return __f16_two(a.x, b.x); }
__device__ inline __half2 __highs2half2(__half2 a, __half2 b) { return __f16_two(a.y, b.y); }
