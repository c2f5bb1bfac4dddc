// Exponentials of double precision: as in expf.cuh.

// p * 2^n for |n| <= 2044, rounded once.
__device__ inline double __scale(double p, int n)
{
    int half = n >> 1;
    return p * __hiloint2double((half + 1023) << 20, 0) * __hiloint2double((n - half + 1023) << 20, 0);
}
// x - n log 2, of which n is the nearest whole number.
__device__ inline double __exp_rest(double x, double *n)
{
    double whole = rint(x * 1.4426950408889634);
    *n = whole;
    double r = fma(whole, -0.6931471805599453, x);
    return fma(whole, -2.3190468138462996e-17, r);
}
__device__ inline double exp(double x)
{
    x = x > 710.0 ? 710.0 : x;
    x = x < -746.0 ? -746.0 : x;
    double whole, r = __exp_rest(x, &whole);
    return __scale(fma(__p_exp(r), r * r, r) + 1.0, (int)whole);
}
__device__ inline double exp2(double x)
{
    x = x > 1025.0 ? 1025.0 : x;
    x = x < -1076.0 ? -1076.0 : x;
    double whole = rint(x), r = x - whole;
    return __scale(fma(__p_exp2(r), r, 1.0), (int)whole);
}
__device__ inline double exp10(double x)
{
    x = x > 309.0 ? 309.0 : x;
    x = x < -325.0 ? -325.0 : x;
    double whole = rint(x * 3.321928094887362);
    double large = fma(whole, -0.3010299956639812, x), product = whole * 2.803728127785171e-18, low = large + product;
    double r = low * 2.302585092994046, error = fma(low, 2.302585092994046, -r) + low * -2.1707562233822494e-16;
    error = fma((large - low) + product, 2.302585092994046, error);
    return __scale(r + fma(__p_exp(r), r * r, error) + 1.0, (int)whole);
}
// e^(x + low) / 2^n - 1 as the sum of two parts, for |x| <= 750.
__device__ inline double __expm1_parts(double x, double low, double *rest, int *n)
{
    double whole = rint(x * 1.4426950408889634);
    *n = (int)whole;
    double large = fma(whole, -0.6931471805599453, x);  // exact
    double product = whole * 2.3190468138462996e-17, r = large - product;
    double error = (large - r) - product + fma(whole, -5.707708438416212e-34, low);
    double p = __p_exp(r) * (r * r);
    p += fma(r + p, error, error);
    double sum = r + p;
    *rest = (r - sum) + p;
    return sum;
}
// e^(x + low) / 2^n, likewise.
__device__ inline double __exp_parts(double x, double low, double *rest, int *n)
{
    double tail = __expm1_parts(x, low, rest, n), sum = 1.0 + tail;
    *rest += tail - (sum - 1.0);
    return sum;
}
__device__ inline double expm1(double x)
{
    if (x > -0.3 && x < 0.5)
        return copysign(fma(__p_expm1(x), x * x, x), x);
    x = x > 710.0 ? 710.0 : x;
    x = x < -55.0 ? -55.0 : x;
    double rest;
    int n;
    double e = __expm1_parts(x, 0.0, &rest, &n), half = __scale(0.5, n), a = half - 0.5, b = half * e, sum = a + b;
    double error = ((half - a) - 0.5) + (b - (sum - a));
    return 2.0 * (sum + fma(half, rest, error));
}
__device__ inline double sinh(double x)
{
    double a = fabs(x), z = x * x, rest;
    if (a < 1.0)
        return copysign(fma(__p_sinh(z) * z, x, x), x);
    int n;
    double sum = __exp_parts(a > 711.0 ? 711.0 : a, 0.0, &rest, &n), half = __scale(sum, n - 1);
    return copysign(half + (__scale(rest, n - 1) - 0.25 / half), x);
}
__device__ inline double cosh(double x)
{
    double a = fabs(x), rest;
    int n;
    double sum = __exp_parts(a > 711.0 ? 711.0 : a, 0.0, &rest, &n), half = __scale(sum, n - 1);
    return half + (__scale(rest, n - 1) + 0.25 / half);
}
__device__ inline double tanh(double x)
{
    double a = fabs(x), z = x * x, rest;
    if (a < 0.55)
        return copysign(fma(__p_tanh(z) * z, x, x), x);
    int n;
    double e = __exp_parts(a > 20.0 ? 40.0 : 2.0 * a, 0.0, &rest, &n);
    // 1 - 2 / (e^2a + 1), the quotient corrected by its remainder.
    e = __scale(e, n);
    double divisor = e + 1.0, low = (1.0 - (divisor - e)) + __scale(rest, n), quotient = 2.0 / divisor;
    double remainder = fma(-quotient, divisor, 2.0) - quotient * low, y = 1.0 - quotient;
    y += ((1.0 - y) - quotient) - 0.5 * quotient * remainder;
    return copysign(x != x ? x : y, x);
}
__device__ inline float exp(float x) { return expf(x); }
__device__ inline float exp2(float x) { return exp2f(x); }
__device__ inline float exp10(float x) { return exp10f(x); }
__device__ inline float expm1(float x) { return expm1f(x); }
__device__ inline float sinh(float x) { return sinhf(x); }
__device__ inline float cosh(float x) { return coshf(x); }
__device__ inline float tanh(float x) { return tanhf(x); }
