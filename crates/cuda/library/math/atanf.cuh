// Inverse sine, cosine and tangent of single precision: polynomials in x^2, for the tangent on [0, 1] and for the others on [0, 1/2].

__device__ inline float __atan_kernelf(float t)
{
    float z = t * t;
    return fmaf(__p_atanf(z) * z, t, t);
}
__device__ inline float atanf(float x)
{
    float a = fabsf(x);
    float t = __atan_kernelf(a > 1.0f ? 1.0f / a : a);
    return copysignf(a > 1.0f ? 1.57079637f - (t + 4.37113883e-8f) : t, x);
}
__device__ inline float atan2f(float y, float x)
{
    float a = fabsf(x), b = fabsf(y), low = fminf(a, b), high = fmaxf(a, b);
    if (x != x || y != y)
        return x + y;
    float quotient = low == high ? (high == 0.0f ? 0.0f : 1.0f) : low / high;
    float t = __atan_kernelf(quotient);
    if (b > a)
        t = 1.57079637f - (t + 4.37113883e-8f);
    if (__float_as_int(x) < 0)
        t = 3.14159274f - (t + 8.74227766e-8f);
    return copysignf(t, y);
}
__device__ inline float __asin_kernelf(float t, float z) { return fmaf(__p_asinf(z) * z, t, t); }
__device__ inline float asinf(float x)
{
    float a = fabsf(x);
    if (a <= 0.5f)
        return __asin_kernelf(x, x * x);
    float z = fmaf(a, -0.5f, 0.5f), t = __asin_kernelf(sqrtf(z), z);
    return copysignf(fmaf(t, -2.0f, 1.57079637f) - 4.37113883e-8f, x);
}
__device__ inline float acosf(float x)
{
    float a = fabsf(x);
    if (a <= 0.5f)
        return 1.57079637f - (__asin_kernelf(x, x * x) + 4.37113883e-8f);
    float z = fmaf(a, -0.5f, 0.5f), t = 2.0f * __asin_kernelf(sqrtf(z), z);
    return x < 0.0f ? 3.14159274f - (t + 8.74227766e-8f) : t;
}
