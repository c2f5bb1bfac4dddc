// Numbers of 8 bits, e4m3 and e5m2: types and conversions of the CUDA Math API's chapter "FP8", on both sides.
#pragma once
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <narrow.inc>
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    if (x != x) {
        unsigned high = (unsigned)(*(unsigned long long *)&x >> 48);
        return (__nv_fp8_storage_t)((kind == __NV_E4M3 ? 0x7f : 0x7e | (high >> 2 & 3)) | (high >> 8 & 0x80));
    }
    unsigned infinity = kind == __NV_E4M3 ? 0x7f : 0x7c, beyond = saturate == __NV_SATFINITE ? infinity - 1 : infinity;
    return (__nv_fp8_storage_t)__library_rounded(x, 8, kind == __NV_E4M3 ? 3 : 2, __LIBRARY_RN, infinity, beyond);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    unsigned low = __nv_cvt_double_to_fp8(x.x, saturate, kind), high = __nv_cvt_double_to_fp8(x.y, saturate, kind);
    return (__nv_fp8x2_storage_t)(high << 8 | low);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    if (saturate == __NV_SATFINITE) {
        __nv_fp8x2_storage_t bits;
        if (kind == __NV_E4M3)
            asm("cvt.rn.satfinite.e4m3x2.f32 %0, %2, %1;" : "=h"(bits) : "f"(x.x), "f"(x.y));
        else
            asm("cvt.rn.satfinite.e5m2x2.f32 %0, %2, %1;" : "=h"(bits) : "f"(x.x), "f"(x.y));
        return bits;
    }
#endif
    unsigned low = x.x != x.x ? 0x7f : __nv_cvt_double_to_fp8(x.x, saturate, kind);
    unsigned high = x.y != x.y ? 0x7f : __nv_cvt_double_to_fp8(x.y, saturate, kind);
    return (__nv_fp8x2_storage_t)(high << 8 | low);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8_storage_t)__nv_cvt_float2_to_fp8x2(make_float2(x, 0), saturate, kind);
}
__host__ __device__ inline float __fp8_half_to_float(unsigned short bits)
{
    __half_raw raw;
    raw.x = bits;
    return __half2float(__half(raw));
}
__host__ __device__ inline float __fp8_bfloat_to_float(unsigned short bits)
{
    __nv_bfloat16_raw raw;
    raw.x = bits;
    return __bfloat162float(__nv_bfloat16(raw));
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__fp8_half_to_float(x.x), saturate, kind);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float2_to_fp8x2(make_float2(__fp8_half_to_float(x.x), __fp8_half_to_float(x.y)), saturate, kind);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__fp8_bfloat_to_float(x.x), saturate, kind);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float2_to_fp8x2(make_float2(__fp8_bfloat_to_float(x.x), __fp8_bfloat_to_float(x.y)), saturate, kind);
}
__host__ __device__ inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    __half_raw raw;
    unsigned sign = (x & 0x80u) << 8, bits = x & 0x7fu;
    if (kind == __NV_E5M2)
        raw.x = (unsigned short)(bits > 0x7c ? 0x7fffu : sign | bits << 8);
    else if (bits == 0x7f)
        raw.x = 0x7fff;
    else if (bits >= 8)
        raw.x = (unsigned short)(sign | ((bits << 7) + 0x2000));
    else {
        // Units of 2^-9, which half precision has as normal numbers.
        unsigned exponent = bits >= 4 ? 8 : bits >= 2 ? 7 : 6;
        raw.x = (unsigned short)(sign | (bits == 0 ? 0 : exponent << 10 | ((bits << (16 - exponent)) & 0x3ff)));
    }
    return raw;
}
__host__ __device__ inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind)
{
    __half2_raw raw;
    raw.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x;
    raw.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x;
    return raw;
}

#define __FP8_FROM(NAME, KIND, T)                                                                                               \
    __host__ __device__ explicit NAME(T v) : __x(__nv_cvt_float_to_fp8((float)v, __NV_SATFINITE, KIND)) {}
#define __FP8_TO(T, LETTERS)                                                                                                    \
    __host__ __device__ explicit operator T() const { return (T)__half2##LETTERS##_rz(__half(*this)); }
#define __FP8_SMALL(T, LEAST, MOST)                                                                                             \
    __host__ __device__ explicit operator T() const                                                                             \
    {                                                                                                                           \
        float v = (float)*this;                                                                                                 \
        return v != v ? (T)0 : v > MOST ? (T)MOST : v < LEAST ? (T)LEAST : (T)v;                                                \
    }
#define __FP8_TYPE(NAME, KIND)                                                                                                  \
    struct NAME {                                                                                                               \
        __nv_fp8_storage_t __x;                                                                                                 \
        NAME() = default;                                                                                                       \
        __host__ __device__ explicit NAME(__half v) : __x(__nv_cvt_halfraw_to_fp8((__half_raw)v, __NV_SATFINITE, KIND)) {}      \
        __host__ __device__ explicit NAME(__nv_bfloat16 v)                                                                      \
            : __x(__nv_cvt_bfloat16raw_to_fp8((__nv_bfloat16_raw)v, __NV_SATFINITE, KIND))                                      \
        {                                                                                                                       \
        }                                                                                                                       \
        __host__ __device__ explicit NAME(double v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, KIND)) {}                   \
        __FP8_FROM(NAME, KIND, float)                                                                                           \
        __FP8_FROM(NAME, KIND, short)                                                                                           \
        __FP8_FROM(NAME, KIND, unsigned short)                                                                                  \
        __FP8_FROM(NAME, KIND, int)                                                                                             \
        __FP8_FROM(NAME, KIND, unsigned)                                                                                        \
        __FP8_FROM(NAME, KIND, long)                                                                                            \
        __FP8_FROM(NAME, KIND, unsigned long)                                                                                   \
        __FP8_FROM(NAME, KIND, long long)                                                                                       \
        __FP8_FROM(NAME, KIND, unsigned long long)                                                                              \
        __host__ __device__ explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, KIND)); }             \
        __host__ __device__ explicit operator float() const { return __half2float(__half(*this)); }                             \
        __host__ __device__ explicit operator double() const { return (float)*this; }                                           \
        __host__ __device__ explicit operator __nv_bfloat16() const { return __float2bfloat16_rz((float)*this); }               \
        __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }                                        \
        __FP8_SMALL(unsigned char, 0, 255)                                                                                      \
        __FP8_SMALL(signed char, -128, 127)                                                                                     \
        __FP8_SMALL(char, -128, 127)                                                                                            \
        __FP8_TO(unsigned short, ushort)                                                                                        \
        __FP8_TO(short, short)                                                                                                  \
        __FP8_TO(unsigned, uint)                                                                                                \
        __FP8_TO(int, int)                                                                                                      \
        __FP8_TO(unsigned long, ull)                                                                                            \
        __FP8_TO(long, ll)                                                                                                      \
        __FP8_TO(unsigned long long, ull)                                                                                       \
        __FP8_TO(long long, ll)                                                                                                 \
    };
__FP8_TYPE(__nv_fp8_e4m3, __NV_E4M3)
__FP8_TYPE(__nv_fp8_e5m2, __NV_E5M2)
#undef __FP8_TYPE
#undef __FP8_FROM
#undef __FP8_TO
#undef __FP8_SMALL
#define __FP8_PAIR(NAME, KIND)                                                                                                  \
    struct alignas(2) NAME {                                                                                                    \
        __nv_fp8x2_storage_t __x;                                                                                               \
        NAME() = default;                                                                                                       \
        __host__ __device__ explicit NAME(__half2 v)                                                                            \
            : __x(__nv_cvt_halfraw2_to_fp8x2((__half2_raw)v, __NV_SATFINITE, KIND))                                             \
        {                                                                                                                       \
        }                                                                                                                       \
        __host__ __device__ explicit NAME(__nv_bfloat162 v)                                                                     \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2((__nv_bfloat162_raw)v, __NV_SATFINITE, KIND))                                  \
        {                                                                                                                       \
        }                                                                                                                       \
        __host__ __device__ explicit NAME(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}                 \
        __host__ __device__ explicit NAME(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}               \
        __host__ __device__ explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND)); }        \
        __host__ __device__ explicit operator float2() const                                                                    \
        {                                                                                                                       \
            __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(__x, KIND);                                                            \
            return make_float2(__fp8_half_to_float(raw.x), __fp8_half_to_float(raw.y));                                         \
        }                                                                                                                       \
    };
__FP8_PAIR(__nv_fp8x2_e4m3, __NV_E4M3)
__FP8_PAIR(__nv_fp8x2_e5m2, __NV_E5M2)
#undef __FP8_PAIR
#define __FP8_FOUR(NAME, PAIR, KIND)                                                                                            \
    struct alignas(4) NAME {                                                                                                    \
        __nv_fp8x4_storage_t __x;                                                                                               \
        NAME() = default;                                                                                                       \
        __host__ __device__ void __pairs(PAIR low, PAIR high) { __x = (unsigned)high.__x << 16 | low.__x; }                     \
        __host__ __device__ explicit NAME(__half2 low, __half2 high) { __pairs(PAIR(low), PAIR(high)); }                        \
        __host__ __device__ explicit NAME(__nv_bfloat162 low, __nv_bfloat162 high) { __pairs(PAIR(low), PAIR(high)); }          \
        __host__ __device__ explicit NAME(float4 v)                                                                             \
        {                                                                                                                       \
            __pairs(PAIR(make_float2(v.x, v.y)), PAIR(make_float2(v.z, v.w)));                                                  \
        }                                                                                                                       \
        __host__ __device__ explicit NAME(double4 v)                                                                            \
        {                                                                                                                       \
            __pairs(PAIR(make_double2(v.x, v.y)), PAIR(make_double2(v.z, v.w)));                                                \
        }                                                                                                                       \
        __host__ __device__ explicit operator float4() const                                                                    \
        {                                                                                                                       \
            PAIR low, high;                                                                                                     \
            low.__x = (__nv_fp8x2_storage_t)__x;                                                                                \
            high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                                       \
            float2 a = (float2)low, b = (float2)high;                                                                           \
            return make_float4(a.x, a.y, b.x, b.y);                                                                             \
        }                                                                                                                       \
    };
__FP8_FOUR(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3, __NV_E4M3)
__FP8_FOUR(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2, __NV_E5M2)
#undef __FP8_FOUR
