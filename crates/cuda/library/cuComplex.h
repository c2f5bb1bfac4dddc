// Complex numbers of CUDA's cuComplex.h. Quotients are by Smith's algorithm, which does not overflow where the result does not
// (R. L. Smith, "Algorithm 116: Complex division", Communications of the ACM 5(8), 1962).
#pragma once
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
// F: what names of this type end with.
#define COMPLEX(NAME, REAL, F)                                                                                                  \
    __device__ inline NAME make_##NAME(REAL x, REAL y) { return {x, y}; }                                                       \
    __device__ inline REAL cuCreal##F(NAME z) { return z.x; }                                                                   \
    __device__ inline REAL cuCimag##F(NAME z) { return z.y; }                                                                   \
    __device__ inline NAME cuConj##F(NAME z) { return {z.x, -z.y}; }                                                            \
    __device__ inline NAME cuCadd##F(NAME a, NAME b) { return {a.x + b.x, a.y + b.y}; }                                         \
    __device__ inline NAME cuCsub##F(NAME a, NAME b) { return {a.x - b.x, a.y - b.y}; }                                         \
    __device__ inline NAME cuCmul##F(NAME a, NAME b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                 \
    __device__ inline NAME cuCfma##F(NAME a, NAME b, NAME c)                                                                    \
    {                                                                                                                           \
        return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                                                      \
    }                                                                                                                           \
    __device__ inline REAL cuCabs##F(NAME z) { return hypot##F(z.x, z.y); }                                                     \
    __device__ inline NAME cuCdiv##F(NAME a, NAME b)                                                                            \
    {                                                                                                                           \
        if (fabs##F(b.x) >= fabs##F(b.y)) {                                                                                     \
            REAL ratio = b.y / b.x, divisor = b.x + b.y * ratio;                                                                \
            return {(a.x + a.y * ratio) / divisor, (a.y - a.x * ratio) / divisor};                                              \
        }                                                                                                                       \
        REAL ratio = b.x / b.y, divisor = b.x * ratio + b.y;                                                                    \
        return {(a.x * ratio + a.y) / divisor, (a.y * ratio - a.x) / divisor};                                                  \
    }
COMPLEX(cuFloatComplex, float, f)
COMPLEX(cuDoubleComplex, double, )
#undef COMPLEX
__device__ inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
__device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
__device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return {(float)z.x, (float)z.y}; }
