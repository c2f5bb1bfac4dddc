// Operators and functions of vectors as in NVIDIA's samples, on both sides.
#ifndef HELPER_MATH_H
#define HELPER_MATH_H
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define __SAMPLES_MATH __host__ __device__ inline

// From one number, and from vectors of other lengths and of other elements.
#define __SAMPLES_MAKE(T) \
    __SAMPLES_MATH T##2 make_##T##2(T s) { return make_##T##2(s, s); } \
    __SAMPLES_MATH T##3 make_##T##3(T s) { return make_##T##3(s, s, s); } \
    __SAMPLES_MATH T##4 make_##T##4(T s) { return make_##T##4(s, s, s, s); } \
    __SAMPLES_MATH T##2 make_##T##2(T##3 a) { return make_##T##2(a.x, a.y); } \
    __SAMPLES_MATH T##3 make_##T##3(T##2 a) { return make_##T##3(a.x, a.y, 0); } \
    __SAMPLES_MATH T##3 make_##T##3(T##2 a, T s) { return make_##T##3(a.x, a.y, s); } \
    __SAMPLES_MATH T##3 make_##T##3(T##4 a) { return make_##T##3(a.x, a.y, a.z); } \
    __SAMPLES_MATH T##4 make_##T##4(T##3 a) { return make_##T##4(a.x, a.y, a.z, 0); } \
    __SAMPLES_MATH T##4 make_##T##4(T##3 a, T w) { return make_##T##4(a.x, a.y, a.z, w); }
__SAMPLES_MAKE(float)
__SAMPLES_MAKE(int)
__SAMPLES_MAKE(uint)
#define __SAMPLES_CONVERT(T, F) \
    __SAMPLES_MATH T##2 make_##T##2(F##2 a) { return make_##T##2(T(a.x), T(a.y)); } \
    __SAMPLES_MATH T##3 make_##T##3(F##3 a) { return make_##T##3(T(a.x), T(a.y), T(a.z)); } \
    __SAMPLES_MATH T##4 make_##T##4(F##4 a) { return make_##T##4(T(a.x), T(a.y), T(a.z), T(a.w)); }
__SAMPLES_CONVERT(float, int)
__SAMPLES_CONVERT(float, uint)
__SAMPLES_CONVERT(int, float)
__SAMPLES_CONVERT(int, uint)
__SAMPLES_CONVERT(uint, int)

// Of two vectors, and of a vector and a number. Macros are short, and one uses no other, as every source that includes this has
// them expanded.
#define __SAMPLES_OPERATOR2(V, T, OP) \
    __SAMPLES_MATH V operator OP(V a, V b) { return make_##V(a.x OP b.x, a.y OP b.y); } \
    __SAMPLES_MATH V operator OP(V a, T b) { return make_##V(a.x OP b, a.y OP b); } \
    __SAMPLES_MATH V operator OP(T a, V b) { return make_##V(a OP b.x, a OP b.y); } \
    __SAMPLES_MATH void operator OP##=(V &a, V b) { a = a OP b; } \
    __SAMPLES_MATH void operator OP##=(V &a, T b) { a = a OP b; }
#define __SAMPLES_OPERATOR3(V, T, OP) \
    __SAMPLES_MATH V operator OP(V a, V b) { return make_##V(a.x OP b.x, a.y OP b.y, a.z OP b.z); } \
    __SAMPLES_MATH V operator OP(V a, T b) { return make_##V(a.x OP b, a.y OP b, a.z OP b); } \
    __SAMPLES_MATH V operator OP(T a, V b) { return make_##V(a OP b.x, a OP b.y, a OP b.z); } \
    __SAMPLES_MATH void operator OP##=(V &a, V b) { a = a OP b; } \
    __SAMPLES_MATH void operator OP##=(V &a, T b) { a = a OP b; }
#define __SAMPLES_OPERATOR4(V, T, OP) \
    __SAMPLES_MATH V operator OP(V a, V b) { return make_##V(a.x OP b.x, a.y OP b.y, a.z OP b.z, a.w OP b.w); } \
    __SAMPLES_MATH V operator OP(V a, T b) { return make_##V(a.x OP b, a.y OP b, a.z OP b, a.w OP b); } \
    __SAMPLES_MATH V operator OP(T a, V b) { return make_##V(a OP b.x, a OP b.y, a OP b.z, a OP b.w); } \
    __SAMPLES_MATH void operator OP##=(V &a, V b) { a = a OP b; } \
    __SAMPLES_MATH void operator OP##=(V &a, T b) { a = a OP b; }
__SAMPLES_OPERATOR2(float2, float, +)
__SAMPLES_OPERATOR2(float2, float, -)
__SAMPLES_OPERATOR2(float2, float, *)
__SAMPLES_OPERATOR2(float2, float, /)
__SAMPLES_OPERATOR3(float3, float, +)
__SAMPLES_OPERATOR3(float3, float, -)
__SAMPLES_OPERATOR3(float3, float, *)
__SAMPLES_OPERATOR3(float3, float, /)
__SAMPLES_OPERATOR4(float4, float, +)
__SAMPLES_OPERATOR4(float4, float, -)
__SAMPLES_OPERATOR4(float4, float, *)
__SAMPLES_OPERATOR4(float4, float, /)
__SAMPLES_OPERATOR2(int2, int, +)
__SAMPLES_OPERATOR2(int2, int, -)
__SAMPLES_OPERATOR2(int2, int, *)
__SAMPLES_OPERATOR3(int3, int, +)
__SAMPLES_OPERATOR3(int3, int, -)
__SAMPLES_OPERATOR3(int3, int, *)
__SAMPLES_OPERATOR4(int4, int, +)
__SAMPLES_OPERATOR4(int4, int, -)
__SAMPLES_OPERATOR4(int4, int, *)
__SAMPLES_OPERATOR2(uint2, uint, +)
__SAMPLES_OPERATOR2(uint2, uint, -)
__SAMPLES_OPERATOR2(uint2, uint, *)
__SAMPLES_OPERATOR3(uint3, uint, +)
__SAMPLES_OPERATOR3(uint3, uint, -)
__SAMPLES_OPERATOR3(uint3, uint, *)
__SAMPLES_OPERATOR4(uint4, uint, +)
__SAMPLES_OPERATOR4(uint4, uint, -)
__SAMPLES_OPERATOR4(uint4, uint, *)

__SAMPLES_MATH float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
__SAMPLES_MATH int clamp(int f, int a, int b) { return max(a, min(f, b)); }
__SAMPLES_MATH uint clamp(uint f, uint a, uint b) { return max(a, min(f, b)); }
__SAMPLES_MATH float lerp(float a, float b, float t) { return a + t * (b - a); }
__SAMPLES_MATH float fracf(float v) { return v - floorf(v); }
__SAMPLES_MATH float smoothstep(float a, float b, float x)
{
    float t = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Part by part.
#define __SAMPLES_ONE2(V, F) \
    __SAMPLES_MATH V F(V a) { return make_##V(F(a.x), F(a.y)); }
#define __SAMPLES_TWO2(V, F) \
    __SAMPLES_MATH V F(V a, V b) { return make_##V(F(a.x, b.x), F(a.y, b.y)); }
#define __SAMPLES_ALL2(V, T) \
    __SAMPLES_MATH V clamp(V v, V a, V b) { return make_##V(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y)); } \
    __SAMPLES_MATH V clamp(V v, T a, T b) { return make_##V(clamp(v.x, a, b), clamp(v.y, a, b)); } \
    __SAMPLES_MATH T dot(V a, V b) { return a.x * b.x + a.y * b.y; }
#define __SAMPLES_MINUS2(V) \
    __SAMPLES_MATH V operator-(V &a) { return make_##V(-a.x, -a.y); }
#define __SAMPLES_ONE3(V, F) \
    __SAMPLES_MATH V F(V a) { return make_##V(F(a.x), F(a.y), F(a.z)); }
#define __SAMPLES_TWO3(V, F) \
    __SAMPLES_MATH V F(V a, V b) { return make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z)); }
#define __SAMPLES_ALL3(V, T) \
    __SAMPLES_MATH V clamp(V v, V a, V b) { return make_##V(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z)); } \
    __SAMPLES_MATH V clamp(V v, T a, T b) { return make_##V(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b)); } \
    __SAMPLES_MATH T dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
#define __SAMPLES_MINUS3(V) \
    __SAMPLES_MATH V operator-(V &a) { return make_##V(-a.x, -a.y, -a.z); }
#define __SAMPLES_ONE4(V, F) \
    __SAMPLES_MATH V F(V a) { return make_##V(F(a.x), F(a.y), F(a.z), F(a.w)); }
#define __SAMPLES_TWO4(V, F) \
    __SAMPLES_MATH V F(V a, V b) { return make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z), F(a.w, b.w)); }
#define __SAMPLES_ALL4(V, T) \
    __SAMPLES_MATH V clamp(V v, V a, V b) { return make_##V(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w)); } \
    __SAMPLES_MATH V clamp(V v, T a, T b) { return make_##V(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b)); } \
    __SAMPLES_MATH T dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
#define __SAMPLES_MINUS4(V) \
    __SAMPLES_MATH V operator-(V &a) { return make_##V(-a.x, -a.y, -a.z, -a.w); }
#define __SAMPLES_FLOAT(V) \
    __SAMPLES_MATH V lerp(V a, V b, float t) { return a + t * (b - a); } \
    __SAMPLES_MATH V smoothstep(V a, V b, V x) \
    { \
        V t = clamp((x - a) / (b - a), 0.0f, 1.0f); \
        return t * t * (make_##V(3.0f) - make_##V(2.0f) * t); \
    } \
    __SAMPLES_MATH float length(V v) { return sqrtf(dot(v, v)); } \
    __SAMPLES_MATH V normalize(V v) { return v * rsqrtf(dot(v, v)); }
__SAMPLES_ALL2(float2, float)
__SAMPLES_MINUS2(float2)
__SAMPLES_TWO2(float2, fminf)
__SAMPLES_TWO2(float2, fmaxf)
__SAMPLES_TWO2(float2, fmodf)
__SAMPLES_ONE2(float2, floorf)
__SAMPLES_ONE2(float2, fracf)
__SAMPLES_ONE2(float2, fabs)
__SAMPLES_FLOAT(float2)
__SAMPLES_ALL3(float3, float)
__SAMPLES_MINUS3(float3)
__SAMPLES_TWO3(float3, fminf)
__SAMPLES_TWO3(float3, fmaxf)
__SAMPLES_TWO3(float3, fmodf)
__SAMPLES_ONE3(float3, floorf)
__SAMPLES_ONE3(float3, fracf)
__SAMPLES_ONE3(float3, fabs)
__SAMPLES_FLOAT(float3)
__SAMPLES_ALL4(float4, float)
__SAMPLES_MINUS4(float4)
__SAMPLES_TWO4(float4, fminf)
__SAMPLES_TWO4(float4, fmaxf)
__SAMPLES_TWO4(float4, fmodf)
__SAMPLES_ONE4(float4, floorf)
__SAMPLES_ONE4(float4, fracf)
__SAMPLES_ONE4(float4, fabs)
__SAMPLES_FLOAT(float4)
__SAMPLES_ALL2(int2, int)
__SAMPLES_MINUS2(int2)
__SAMPLES_ONE2(int2, abs)
__SAMPLES_TWO2(int2, min)
__SAMPLES_TWO2(int2, max)
__SAMPLES_ALL3(int3, int)
__SAMPLES_MINUS3(int3)
__SAMPLES_ONE3(int3, abs)
__SAMPLES_TWO3(int3, min)
__SAMPLES_TWO3(int3, max)
__SAMPLES_ALL4(int4, int)
__SAMPLES_MINUS4(int4)
__SAMPLES_ONE4(int4, abs)
__SAMPLES_TWO4(int4, min)
__SAMPLES_TWO4(int4, max)
__SAMPLES_ALL2(uint2, uint)
__SAMPLES_TWO2(uint2, min)
__SAMPLES_TWO2(uint2, max)
__SAMPLES_ALL3(uint3, uint)
__SAMPLES_TWO3(uint3, min)
__SAMPLES_TWO3(uint3, max)
__SAMPLES_ALL4(uint4, uint)
__SAMPLES_TWO4(uint4, min)
__SAMPLES_TWO4(uint4, max)
__SAMPLES_MATH float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
// The direction `i` as a mirror with the normal `n` sends it.
__SAMPLES_MATH float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
#endif
