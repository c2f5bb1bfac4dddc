// Exponentials of single precision: x = n log 2 + r with |r| <= log(2) / 2, by Cody and Waite in two steps, and a polynomial in r.

// p * 2^n for |n| <= 252, rounded once.
__device__ inline float __scalef(float p, int n)
{
    int half = n >> 1;
    return p * __int_as_float((half + 127) << 23) * __int_as_float((n - half + 127) << 23);
}
// e^x as p * 2^n, for |x| <= 150.
__device__ inline float __exp_partsf(float x, float low, int *n)
{
    float whole = rintf(x * 1.44269504f);
    float r = fmaf(whole, -0.693147182f, x);
    r = fmaf(whole, 1.90465421e-9f, r) + low;
    *n = (int)whole;
    return fmaf(__p_expf(r), r * r, r) + 1.0f;
}
#ifdef __USE_FAST_MATH__
__device__ inline float expf(float x) { return __builtin_ex2_approx(x * 1.4426950408889634f); }
#else
__device__ inline float expf(float x)
{
    // Beyond these it is 0 or infinity; NaN stays.
    x = x > 90.0f ? 90.0f : x;
    x = x < -105.0f ? -105.0f : x;
    int n;
    float p = __exp_partsf(x, 0.0f, &n);
    return __scalef(p, n);
}
#endif
#ifdef __USE_FAST_MATH__
__device__ inline float exp2f(float x) { return __builtin_ex2_approx(x); }
#else
__device__ inline float exp2f(float x)
{
    x = x > 130.0f ? 130.0f : x;
    x = x < -152.0f ? -152.0f : x;
    float whole = rintf(x), r = x - whole;
    return __scalef(fmaf(__p_exp2f(r), r, 1.0f), (int)whole);
}
#endif
#ifdef __USE_FAST_MATH__
__device__ inline float exp10f(float x) { return __builtin_ex2_approx(x * 3.3219280948873624f); }
#else
__device__ inline float exp10f(float x)
{
    x = x > 40.0f ? 40.0f : x;
    x = x < -47.0f ? -47.0f : x;
    float whole = rintf(x * 3.32192802f);
    float r = fmaf(whole, -0.301030010f, x);
    r = fmaf(whole, 1.43209888e-8f, r);
    return __scalef(fmaf(__p_exp10f(r), r, 1.0f), (int)whole);
}
#endif
__device__ inline float expm1f(float x)
{
    if (x > -0.3f && x < 0.5f)
        return copysignf(fmaf(__p_expm1f(x), x * x, x), x);
    x = x > 89.0f ? 89.0f : x;
    x = x < -26.0f ? -26.0f : x;
    // 2^n - 1 + 2^n (e^r - 1), each of them and their sum in two parts.
    float whole = rintf(x * 1.44269504f), large = fmaf(whole, -0.693147182f, x), r = fmaf(whole, 1.90465421e-9f, large);
    float p = fmaf(__p_expf(r), r * r, fmaf(whole, 1.90465421e-9f, large - r)), e = r + p, low = (r - e) + p;
    float half = __scalef(0.5f, (int)whole), a = half - 0.5f, b = half * e, sum = a + b;
    return 2.0f * (sum + fmaf(half, low, ((half - a) - 0.5f) + (b - (sum - a))));
}
__device__ inline float sinhf(float x)
{
    float a = fabsf(x);
    if (a < 1.0f)
        return copysignf(fmaf(__p_sinhf(x * x) * x * x, x, x), x);
    int n;
    float p = __exp_partsf(a > 90.0f ? 90.0f : a, 0.0f, &n), half = __scalef(p, n - 1);
    return copysignf(half - 0.25f / half, x);
}
__device__ inline float coshf(float x)
{
    float a = fabsf(x);
    int n;
    float p = __exp_partsf(a > 90.0f ? 90.0f : a, 0.0f, &n), half = __scalef(p, n - 1);
    return half + 0.25f / half;
}
#if defined(__USE_FAST_MATH__) && __CUDA_ARCH__ >= 750
__device__ inline float tanhf(float x) { return __builtin_tanh_approx(x); }
#else
__device__ inline float tanhf(float x)
{
    float a = fabsf(x), z = x * x;
    if (a < 0.55f)
        return copysignf(fmaf(__p_tanhf(z) * z, x, x), x);
    return copysignf(1.0f - 2.0f / (expf(2.0f * a) + 1.0f), x);
}
#endif
