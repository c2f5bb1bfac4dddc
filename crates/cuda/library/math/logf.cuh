// Logarithms of single precision: x = 2^k (1 + f) with 2/3 <= 1 + f < 4/3, and a polynomial in f.

__device__ inline float __log_partsf(float x, float *k)
{
    float low = 0.0f;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        low = -23.0f;
    }
    int bits = __float_as_int(x), exponent = (bits - 0x3f2aaaab) & (int)0xff800000;
    *k = fmaf((float)exponent, 1.1920929e-7f, low);
    return __int_as_float(bits - exponent) - 1.0f;
}
// What a logarithm is where x is not a positive finite number.
__device__ inline float __log_specialf(float x)
{
    return x == 0.0f ? __int_as_float((int)0xff800000) : x < 0.0f ? __int_as_float(0x7fffffff) : x + x;
}
// k log 2 + log(1 + f): the first part of log 2 has 15 bits, so that its product with k is exact, and the sum with f is kept in
// two parts.
__device__ inline float __log_sumf(float f, float k)
{
    float p = fmaf(__p_logf(f), f, -0.5f), large = k * 0.693145752f, sum = large + f;
    float rest = k == 0.0f ? 0.0f : f - (sum - large);
    return sum + fmaf(p, f * f, fmaf(k, 1.42860677e-6f, rest));
}
#ifdef __USE_FAST_MATH__
__device__ inline float logf(float x) { return __log2f(x) * 0.6931471805599453f; }
#else
__device__ inline float logf(float x)
{
    if (!(x > 0.0f && x < __int_as_float(0x7f800000)))
        return __log_specialf(x);
    float k, f = __log_partsf(x, &k);
    return __log_sumf(f, k);
}
#endif
#ifdef __USE_FAST_MATH__
__device__ inline float log2f(float x) { return __log2f(x); }
#else
__device__ inline float log2f(float x)
{
    if (!(x > 0.0f && x < __int_as_float(0x7f800000)))
        return __log_specialf(x);
    float k, f = __log_partsf(x, &k);
    float large = f * 1.44269502f, low = fmaf(f, 1.44269502f, -large), sum = k + large;
    float rest = k == 0.0f ? low : large - (sum - k) + low;
    return sum + fmaf(__p_log2f(f), f * f, fmaf(f, 1.92596303e-8f, rest));
}
#endif
#ifdef __USE_FAST_MATH__
__device__ inline float log10f(float x) { return __log2f(x) * 0.3010299956639812f; }
#else
__device__ inline float log10f(float x)
{
    if (!(x > 0.0f && x < __int_as_float(0x7f800000)))
        return __log_specialf(x);
    float k, f = __log_partsf(x, &k);
    float natural = fmaf(fmaf(__p_logf(f), f, -0.5f), f * f, f);
    return fmaf(k, 0.301030010f, fmaf(natural, 0.434294492f, fmaf(natural, -1.01030500e-8f, k * -1.43209888e-8f)));
}
#endif
__device__ inline float log1pf(float x)
{
    if (!(x > -1.0f && x < 8388608.0f))
        return x == -1.0f ? __int_as_float((int)0xff800000) : logf(x);
    if (x == 0.0f)
        return x;
    // f = 2^-k (1 + x) - 1, in two parts. (D. Knuth's sum.)
    int exponent = (__float_as_int(1.0f + x) - 0x3f2aaaab) & (int)0xff800000;
    float scale = __int_as_float(0x3f800000 - exponent);
    float a = scale - 1.0f, b = x * scale, f = a + b, part = f - a, low = (a - (f - part)) + (b - part);
    // As __log_sumf, with f^2/2 in two parts as well.
    float k = (float)exponent * 1.1920929e-7f, large = k * 0.693145752f, sum = large + f, half = 0.5f * f * f;
    float rest = (k == 0.0f ? 0.0f : f - (sum - large)) + fmaf(-low, f, low) - fmaf(0.5f * f, f, -half), result = sum - half;
    rest += (sum - result) - half;
    return result + fmaf(__p_logf(f) * f, f * f, fmaf(k, 1.42860677e-6f, rest));
}
__device__ inline float asinhf(float x)
{
    float a = fabsf(x), y;
    if (a > 8192.0f)
        y = logf(a) + 0.693147182f;
    else
        y = log1pf(a + a * a / (1.0f + sqrtf(fmaf(a, a, 1.0f))));
    return copysignf(y, x);
}
__device__ inline float acoshf(float x)
{
    if (x > 8192.0f)
        return logf(x) + 0.693147182f;
    float t = x - 1.0f;
    if (t < 0.0f)
        return __int_as_float(0x7fffffff);
    return log1pf(t + sqrtf(fmaf(t, t, 2.0f * t)));
}
__device__ inline float atanhf(float x)
{
    float a = fabsf(x);
    return copysignf(0.5f * log1pf(2.0f * a / (1.0f - a)), x);
}
