// Sine, cosine and tangent of single precision: x = q pi/2 + r with |r| <= pi/4, by Cody and Waite in three steps (the first exact,
// as q times the first part of pi/2 is a multiple of what r is), for large x by Payne and Hanek; then polynomials in r^2.

struct __quadrantf {
    float r;
    int q;
};
__device__ inline __quadrantf __reducef(float x)
{
    __quadrantf result;
    float whole = rintf(x * 0.636619747f);
    result.q = (int)whole;
    float r = fmaf(whole, -1.57079637f, x);
    r = fmaf(whole, 4.37113883e-8f, r);
    r = fmaf(whole, 1.71512451e-15f, r);
    result.r = result.q == 0 ? x : r;
    if (fabsf(x) > 100000.0f) {
        __quadrant wide = __payne_hanek((double)x);
        result.r = (float)wide.r;
        result.q = wide.q;
    }
    return result;
}
__device__ inline float __sin_kernelf(float r)
{
    float z = r * r;
    return copysignf(fmaf(__p_sinf(z) * z, r, r), r);
}
__device__ inline float __cos_kernelf(float r)
{
    float z = r * r;
    return fmaf(fmaf(__p_cosf(z), z, -0.5f), z, 1.0f);
}
__device__ inline float __sin_quadrantf(float r, int q)
{
    float y = q & 1 ? __cos_kernelf(r) : __sin_kernelf(r);
    return q & 2 ? -y : y;
}
#ifdef __USE_FAST_MATH__
__device__ inline float sinf(float x) { return __sinf(x); }
#else
__device__ inline float sinf(float x)
{
    __quadrantf reduced = __reducef(x);
    return __sin_quadrantf(reduced.r, reduced.q);
}
#endif
#ifdef __USE_FAST_MATH__
__device__ inline float cosf(float x) { return __cosf(x); }
#else
__device__ inline float cosf(float x)
{
    __quadrantf reduced = __reducef(x);
    return __sin_quadrantf(reduced.r, reduced.q + 1);
}
#endif
#ifdef __USE_FAST_MATH__
__device__ inline void sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }
#else
__device__ inline void sincosf(float x, float *s, float *c)
{
    __quadrantf reduced = __reducef(x);
    float a = __sin_kernelf(reduced.r), b = __cos_kernelf(reduced.r);
    int q = reduced.q;
    float y = q & 1 ? b : a, z = q & 1 ? a : b;
    *s = q & 2 ? -y : y;
    *c = (q + 1) & 2 ? -z : z;
}
#endif
#ifdef __USE_FAST_MATH__
__device__ inline float tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
#else
__device__ inline float tanf(float x)
{
    __quadrantf reduced = __reducef(x);
    float r = reduced.r, z = r * r, t = copysignf(fmaf(__p_tanf(z) * z, r, r), r);
    return reduced.q & 1 ? -1.0f / t : t;
}
#endif
// Of pi x: the reduction is exact. From 2^24 on all numbers are even.
__device__ inline __quadrantf __reduce_pif(float x)
{
    __quadrantf result;
    if (!(fabsf(x) < 16777216.0f))
        x *= 0.0f;
    float whole = rintf(2.0f * x);
    result.q = (int)whole;
    result.r = result.q == 0 ? x : fmaf(whole, -0.5f, x);
    return result;
}
__device__ inline float __sinpi_kernelf(float r)
{
    float z = r * r;
    return fmaf(r, 3.14159274f, r * fmaf(__p_sinpif(z), z, -8.74227766e-8f));
}
// 1 - pi^2/2 z + z^2 P(z), of which the first three parts are summed without loss.
__device__ inline float __cospi_kernelf(float r)
{
    float z = r * r, low = fmaf(r, r, -z), u = z * -4.93480206f, lost = fmaf(z, -4.93480206f, -u), sum = 1.0f + u;
    float rest = (1.0f - sum) + u + lost;
    return sum + fmaf(z * z, __p_cospi_tailf(z), fmaf(low, -4.93480206f, fmaf(z, -1.45185793e-7f, rest)));
}
__device__ inline float __sinpi_quadrantf(float r, int q)
{
    float y = q & 1 ? __cospi_kernelf(r) : __sinpi_kernelf(r);
    return q & 2 ? -y : y;
}
__device__ inline float sinpif(float x)
{
    __quadrantf reduced = __reduce_pif(x);
    float y = __sinpi_quadrantf(reduced.r, reduced.q);
    return y == 0.0f ? copysignf(y, x) : y;
}
__device__ inline float cospif(float x)
{
    __quadrantf reduced = __reduce_pif(x);
    return __sinpi_quadrantf(reduced.r, reduced.q + 1) + 0.0f;
}
__device__ inline void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
