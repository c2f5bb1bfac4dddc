// bfloat16: types, operators, intrinsics and functions of the CUDA Math API's chapter "Bfloat16".
#pragma once
#include "cuda_fp16.h"
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

// Bits from and to single precision, of which they are the upper half.
__device__ inline float __bf16_to_float(unsigned short bits) { return __uint_as_float((unsigned)bits << 16); }
__device__ inline unsigned short __bf16_rz(float v)
{
    return v != v ? (unsigned short)0x7fff : (unsigned short)(__float_as_uint(v) >> 16);
}
// Magnitude upwards: for ru of positive numbers, rd of negative ones.
__device__ inline unsigned short __bf16_away(float v)
{
    return v != v ? (unsigned short)0x7fff : (unsigned short)((__float_as_uint(v) + 0xffff) >> 16);
}
__device__ inline unsigned short __bf16_ru(float v) { return __float_as_int(v) < 0 ? __bf16_rz(v) : __bf16_away(v); }
__device__ inline unsigned short __bf16_rd(float v) { return __float_as_int(v) < 0 ? __bf16_away(v) : __bf16_rz(v); }
#if __CUDA_ARCH__ >= 800
__device__ inline unsigned short __bf16_rn(float v) { return __builtin_cvt_rn_bf16_f32(v); }
#else
__device__ inline unsigned short __bf16_rn(float v)
{
    unsigned bits = __float_as_uint(v);
    return v != v ? (unsigned short)0x7fff : (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#endif
// Single precision towards zero, with the last bit set where something was lost: rounded once more, it is as if rounded once.
// (S. Boldo, G. Melquiond: Emulation of FMA and correctly rounded sums, 2008.)
__device__ inline float __bf16_odd(float towards_zero, bool lost)
{
    return __uint_as_float(__float_as_uint(towards_zero) | (lost ? 1u : 0u));
}
__device__ inline float __bf16_odd(double v)
{
    float f = __double2float_rz(v);
    return __bf16_odd(f, (double)f != v && v == v);
}
__device__ inline float __bf16_odd(int v)
{
    float f = __int2float_rz(v);
    return __bf16_odd(f, (double)f != (double)v);
}
__device__ inline float __bf16_odd(unsigned v)
{
    float f = __uint2float_rz(v);
    return __bf16_odd(f, (double)f != (double)v);
}
__device__ inline float __bf16_odd(long long v)
{
    float f = __ll2float_rz(v);
    return __bf16_odd(f, __float2ll_rz(f) != v);
}
__device__ inline float __bf16_odd(unsigned long long v)
{
    float f = __ull2float_rz(v);
    return __bf16_odd(f, __float2ull_rz(f) != v);
}
__device__ inline float __bf16_odd(short v) { return (float)v; }
__device__ inline float __bf16_odd(unsigned short v) { return (float)v; }
__device__ inline float __bf16_odd(long v) { return __bf16_odd((long long)v); }
__device__ inline float __bf16_odd(unsigned long v) { return __bf16_odd((unsigned long long)v); }

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct alignas(4) __nv_bfloat162_raw {
    unsigned short x, y;
};
struct __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    __device__ constexpr __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
    __device__ __nv_bfloat16(float v) : __x(__bf16_rn(v)) {}
    __device__ explicit __nv_bfloat16(__half v) : __x(__bf16_rn((float)v)) {}
#define CONSTRUCTOR(T)                                                                                                          \
    __device__ __nv_bfloat16(T v) : __x(__bf16_rn(__bf16_odd(v))) {}
    CONSTRUCTOR(double)
    CONSTRUCTOR(short)
    CONSTRUCTOR(unsigned short)
    CONSTRUCTOR(int)
    CONSTRUCTOR(unsigned)
    CONSTRUCTOR(long)
    CONSTRUCTOR(unsigned long)
    CONSTRUCTOR(long long)
    CONSTRUCTOR(unsigned long long)
#undef CONSTRUCTOR
    __device__ operator __nv_bfloat16_raw() const
    {
        __nv_bfloat16_raw raw;
        raw.x = __x;
        return raw;
    }
    __device__ operator float() const { return __bf16_to_float(__x); }
    __device__ operator bool() const { return (__x & 0x7fff) != 0; }
    __device__ operator signed char() const { return (signed char)max(-128, min(127, __float2int_rz(__bf16_to_float(__x)))); }
    __device__ operator char() const { return (char)max(-128, min(127, __float2int_rz(__bf16_to_float(__x)))); }
    __device__ operator unsigned char() const { return (unsigned char)max(0, min(255, __float2int_rz(__bf16_to_float(__x)))); }
    __device__ operator short() const { return (short)max(-32768, min(32767, __float2int_rz(__bf16_to_float(__x)))); }
    __device__ operator unsigned short() const { return (unsigned short)max(0, min(65535, __float2int_rz(__bf16_to_float(__x)))); }
    __device__ operator int() const { return __float2int_rz(__bf16_to_float(__x)); }
    __device__ operator unsigned() const { return __float2uint_rz(__bf16_to_float(__x)); }
    __device__ operator long() const { return __float2ll_rz(__bf16_to_float(__x)); }
    __device__ operator unsigned long() const { return __float2ull_rz(__bf16_to_float(__x)); }
    __device__ operator long long() const { return __float2ll_rz(__bf16_to_float(__x)); }
    __device__ operator unsigned long long() const { return __float2ull_rz(__bf16_to_float(__x)); }
#define ASSIGN(T)                                                                                                               \
    __device__ __nv_bfloat16 &operator=(T v)                                                                                           \
    {                                                                                                                           \
        __x = __nv_bfloat16(v).__x;                                                                                                    \
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
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    __device__ constexpr __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
    __device__ __nv_bfloat162(const __nv_bfloat162_raw &raw)
    {
        x.__x = raw.x;
        y.__x = raw.y;
    }
    __device__ operator __nv_bfloat162_raw() const
    {
        __nv_bfloat162_raw raw;
        raw.x = x.__x;
        raw.y = y.__x;
        return raw;
    }
};
__device__ inline __half::__half(__nv_bfloat16 v) : __half((float)v) {}
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Bits.
__device__ inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
__device__ inline short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
__device__ inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    __nv_bfloat16 h;
    h.__x = bits;
    return h;
}
__device__ inline __nv_bfloat16 __short_as_bfloat16(short bits) { return __ushort_as_bfloat16((unsigned short)bits); }

// Conversions.
__device__ inline float __bfloat162float(__nv_bfloat16 h) { return __bf16_to_float(h.__x); }
__device__ inline __nv_bfloat16 __float2bfloat16(float v) { return __ushort_as_bfloat16(__bf16_rn(v)); }
__device__ inline __nv_bfloat16 __double2bfloat16(double v) { return __ushort_as_bfloat16(__bf16_rn(__bf16_odd(v))); }
#define CONVERSION(R, T, C)                                                                                                     \
    __device__ inline __nv_bfloat16 __##C##2bfloat16_##R(T v) { return __ushort_as_bfloat16(__bf16_##R(__bf16_odd(v))); }
#define CONVERSIONS(R)                                                                                                          \
    __device__ inline __nv_bfloat16 __float2bfloat16_##R(float v) { return __ushort_as_bfloat16(__bf16_##R(v)); }               \
    CONVERSION(R, short, short)                                                                                                 \
    CONVERSION(R, unsigned short, ushort)                                                                                       \
    CONVERSION(R, int, int)                                                                                                     \
    CONVERSION(R, unsigned, uint)                                                                                               \
    CONVERSION(R, long long, ll)                                                                                                \
    CONVERSION(R, unsigned long long, ull)                                                                                      \
    __device__ inline int __bfloat162int_##R(__nv_bfloat16 h) { return __float2int_##R(__bfloat162float(h)); }                  \
    __device__ inline unsigned __bfloat162uint_##R(__nv_bfloat16 h) { return __float2uint_##R(__bfloat162float(h)); }           \
    __device__ inline long long __bfloat162ll_##R(__nv_bfloat16 h) { return __float2ll_##R(__bfloat162float(h)); }              \
    __device__ inline unsigned long long __bfloat162ull_##R(__nv_bfloat16 h) { return __float2ull_##R(__bfloat162float(h)); }   \
    __device__ inline short __bfloat162short_##R(__nv_bfloat16 h) { return (short)max(-32768, min(32767, __bfloat162int_##R(h))); } \
    __device__ inline unsigned short __bfloat162ushort_##R(__nv_bfloat16 h)                                                     \
    {                                                                                                                           \
        return (unsigned short)max(0, min(65535, __bfloat162int_##R(h)));                                                       \
    }
CONVERSIONS(rn)
CONVERSIONS(rz)
CONVERSIONS(ru)
CONVERSIONS(rd)
#undef CONVERSION
#undef CONVERSIONS
__device__ inline signed char __bfloat162char_rz(__nv_bfloat16 h) { return (signed char)h; }
__device__ inline unsigned char __bfloat162uchar_rz(__nv_bfloat16 h) { return (unsigned char)h; }

#define B(OPERATION) __bf16_##OPERATION
#define __bf16_infinity 0x7f80
#define __bf16_one 0x3f80
#define __bf16_wide __bfloat162float
#define __bf16_narrow __float2bfloat16
__device__ inline __nv_bfloat162 __bf16_two(__nv_bfloat16 a, __nv_bfloat16 b)
{
    __nv_bfloat162 v;
    v.x = a;
    v.y = b;
    return v;
}
#define __bf16_off_exp(x) 0
#define __bf16_off_exp2(x) 0
#define __bf16_off_exp10(x) -(x == 0xbc95)
#define __bf16_off_log(x) 0
#define __bf16_off_log10(x) 0
#define __bf16_off_sin(x) 0
#define __bf16_off_cos(x) 0
#define __bf16_atomic_add __builtin_atomic_add_bf16
#define __bf16_atomic_add2 __builtin_atomic_add_bf16x2
#define ATOMIC1 900
#define ATOMIC2 900
#define W __bf16_to_float
#define N __bf16_rn
#if __CUDA_ARCH__ >= 900
#define __bf16_add __builtin_add_bf16
#define __bf16_add2 __builtin_add_bf16x2
#define __bf16_sub __builtin_sub_bf16
#define __bf16_sub2 __builtin_sub_bf16x2
// As inline assembly, of which none is merged: a product that is used once ptxas may fuse with a sum, so what NVRTC computes twice is
// computed twice.
__device__ inline unsigned short __bf16_mul(unsigned short a, unsigned short b)
{
    unsigned short product;
    asm("mul.bf16 %0, %1, %2;" : "=h"(product) : "h"(a), "h"(b));
    return product;
}
__device__ inline unsigned __bf16_mul2(unsigned a, unsigned b)
{
    unsigned product;
    asm("mul.bf16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
    return product;
}
#define __bf16_add_rn __builtin_add_rn_bf16
#define __bf16_add_rn2 __builtin_add_rn_bf16x2
#define __bf16_sub_rn __builtin_sub_rn_bf16
#define __bf16_sub_rn2 __builtin_sub_rn_bf16x2
#define __bf16_mul_rn __builtin_mul_rn_bf16
#define __bf16_mul_rn2 __builtin_mul_rn_bf16x2
#elif __CUDA_ARCH__ >= 800
// By the one instruction that there is: a + b = a * 1 + b, a * b = a * b + -0.
#define FUSED(NAME, A, B_, C)                                                                                                   \
    __device__ inline unsigned short __bf16_##NAME(unsigned short a, unsigned short b)                                          \
    {                                                                                                                           \
        const unsigned short one = 0x3f80, minus_one = 0xbf80, minus_zero = 0x8000;                                             \
        return __builtin_fma_bf16(A, B_, C);                                                                                    \
    }                                                                                                                           \
    __device__ inline unsigned __bf16_##NAME##2(unsigned a, unsigned b)                                                         \
    {                                                                                                                           \
        const unsigned one = 0x3f803f80u, minus_one = 0xbf80bf80u, minus_zero = 0x80008000u;                                    \
        return __builtin_fma_bf16x2(A, B_, C);                                                                                  \
    }
FUSED(add, a, one, b)
FUSED(sub, b, minus_one, a)
FUSED(mul, a, b, minus_zero)
FUSED(add_rn, a, one, b)
FUSED(sub_rn, b, minus_one, a)
FUSED(mul_rn, a, b, minus_zero)
#undef FUSED
#endif
#define EMULATE_SATURATION
#if __CUDA_ARCH__ >= 800
#define __bf16_fma __builtin_fma_bf16
#define __bf16_fma2 __builtin_fma_bf16x2
#define __bf16_neg __builtin_neg_bf16
#define __bf16_neg2 __builtin_neg_bf16x2
#define __bf16_abs __builtin_abs_bf16
#define __bf16_abs2 __builtin_abs_bf16x2
#define __bf16_min __builtin_min_bf16
#define __bf16_min2 __builtin_min_bf16x2
#define __bf16_max __builtin_max_bf16
#define __bf16_max2 __builtin_max_bf16x2
#define __bf16_min_nan __builtin_min_nan_bf16
#define __bf16_min_nan2 __builtin_min_nan_bf16x2
#define __bf16_max_nan __builtin_max_nan_bf16
#define __bf16_max_nan2 __builtin_max_nan_bf16x2
#define __bf16_fma_relu __builtin_fma_relu_bf16
#define __bf16_fma_relu2 __builtin_fma_relu_bf16x2
#else
#define EMULATE_ARITHMETIC
#define EMULATE_EXTREMES
#endif
#if __CUDA_ARCH__ >= 900
#define __bf16_tanh __builtin_tanh_bf16
#define __bf16_tanh2 __builtin_tanh_bf16x2
#define COMPARISON(C)                                                                                                           \
    __device__ inline bool __bf16_set_##C(unsigned short a, unsigned short b) { return __builtin_set_##C##_bf16(a, b); }        \
    __device__ inline unsigned __bf16_set2_##C(unsigned a, unsigned b) { return __builtin_set_##C##_bf16x2(a, b); }        \
    __device__ inline unsigned __bf16_mask2_##C(unsigned a, unsigned b) { return __builtin_mask_##C##_bf16x2(a, b); }
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
#define EMULATE_TANH
#define EMULATE_COMPARISONS
#endif
#include "half_emulated.inc"
#undef W
#undef N
#define H __nv_bfloat16
#define H2 __nv_bfloat162
#include "half_family.inc"
#undef H
#undef H2
#undef B
#undef ATOMIC1
#undef ATOMIC2

// Two at once.
__device__ inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __bf16_two(a, b); }
__device__ inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __bf16_two(a, b); }
__device__ inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __bf16_two(a, a); }
__device__ inline __nv_bfloat162 __float2bfloat162_rn(float v) { return __bfloat162bfloat162(__float2bfloat16(v)); }
#if __CUDA_ARCH__ >= 800
__device__ inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __bf16_pair(__builtin_cvt_rn_bf16x2_f32(b, a)); }
#else
__device__ inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __bf16_two(__float2bfloat16(a), __float2bfloat16(b)); }
#endif
__device__ inline __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
__device__ inline float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(__bfloat162float(v.x), __bfloat162float(v.y)); }
__device__ inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
__device__ inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
__device__ inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __bf16_two(v.x, v.x); }
__device__ inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __bf16_two(v.y, v.y); }
__device__ inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __bf16_two(a.x, b.x); }
__device__ inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __bf16_two(a.y, b.y); }
