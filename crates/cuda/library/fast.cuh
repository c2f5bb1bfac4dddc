// Fast single-precision intrinsics of several instructions, from the hardware's exp2, log2, sine and cosine, as the CUDA C++
// Programming Guide defines them (table "Single-Precision Floating-Point Intrinsic Functions").
__device__ inline float __expf(float x) { return __builtin_ex2_approx(x * 1.4426950408889634f); }
__device__ inline float __exp10f(float x) { return __builtin_ex2_approx(x * 3.3219280948873624f); }
__device__ inline float __logf(float x) { return __log2f(x) * 0.6931471805599453f; }
__device__ inline float __log10f(float x) { return __log2f(x) * 0.3010299956639812f; }
__device__ inline float __powf(float x, float y) { return __builtin_ex2_approx(y * __log2f(x)); }
// An ordinary division, which `-use_fast_math` makes a fast one.
__device__ inline float fdividef(float x, float y) { return x / y; }
__device__ inline double fdivide(double x, double y) { return x / y; }
__device__ inline float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__device__ inline void __sincosf(float x, float *s, float *c)
{
    *s = __sinf(x);
    *c = __cosf(x);
}
