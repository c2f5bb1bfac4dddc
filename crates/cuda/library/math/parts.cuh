// Parts of floating-point numbers and their neighbours, of both precisions: all exact.
__device__ inline float modff(float x, float *whole)
{
    float t = truncf(x);
    *whole = t;
    return copysignf(fabsf(x) == __int_as_float(0x7f800000) ? 0.0f : x - t, x);
}
__device__ inline double modf(double x, double *whole)
{
    double t = trunc(x);
    *whole = t;
    return copysign(fabs(x) == __longlong_as_double(0x7ff0000000000000ll) ? 0.0 : x - t, x);
}
__device__ inline float modf(float x, float *whole) { return modff(x, whole); }

// Fraction in [1/2, 1) and exponent.
__device__ inline float frexpf(float x, int *exponent)
{
    int offset = 126;
    *exponent = 0;
    if (x == 0.0f || !(fabsf(x) < __int_as_float(0x7f800000)))
        return x + x;
    if (fabsf(x) < 1.17549435e-38f) {
        x *= 16777216.0f;
        offset = 150;
    }
    int bits = __float_as_int(x);
    *exponent = (bits >> 23 & 0xff) - offset;
    return __int_as_float((bits & (int)0x807fffff) | 0x3f000000);
}
__device__ inline double frexp(double x, int *exponent)
{
    int offset = 1022;
    *exponent = 0;
    if (x == 0.0 || !(fabs(x) < __longlong_as_double(0x7ff0000000000000ll)))
        return x + x;
    if (fabs(x) < 2.2250738585072014e-308) {
        x *= 18014398509481984.0;
        offset = 1076;
    }
    int high = __double2hiint(x);
    *exponent = (high >> 20 & 0x7ff) - offset;
    return __hiloint2double((high & (int)0x800fffff) | 0x3fe00000, __double2loint(x));
}
__device__ inline float frexp(float x, int *exponent) { return frexpf(x, exponent); }

// x 2^n, rounded once: of several factors all but the last are exact, or the result is infinite.
__device__ inline float __two_tof(int n) { return __int_as_float((n + 127) << 23); }
__device__ inline double __two_to(int n) { return __hiloint2double((n + 1023) << 20, 0); }
__device__ inline float ldexpf(float x, int n)
{
    if (n >= -126 && n <= 126)
        return x * __two_tof(n);
    if (n > 0) {
        n = n > 378 ? 378 : n;
        int half = (n - 126) >> 1;
        return x * __two_tof(126) * __two_tof(half) * __two_tof((n - 126 - half));
    }
    n = n < -378 ? -378 : n;
    int exponent;
    float fraction = frexpf(x, &exponent);
    exponent += n;
    if (exponent >= -126)
        return fraction * __two_tof(exponent);
    exponent = exponent < -252 ? -252 : exponent;
    return fraction * __two_tof((exponent + 126)) * __two_tof(-126);
}
__device__ inline double ldexp(double x, int n)
{
    if (n >= -1022 && n <= 1022)
        return x * __two_to(n);
    if (n > 0) {
        n = n > 3066 ? 3066 : n;
        int half = (n - 1022) >> 1;
        return x * __two_to(1022) * __two_to(half) * __two_to((n - 1022 - half));
    }
    n = n < -3066 ? -3066 : n;
    int exponent;
    double fraction = frexp(x, &exponent);
    exponent += n;
    if (exponent >= -1022)
        return fraction * __two_to(exponent);
    exponent = exponent < -2044 ? -2044 : exponent;
    return fraction * __two_to((exponent + 1022)) * __two_to(-1022);
}
__device__ inline float ldexp(float x, int n) { return ldexpf(x, n); }
__device__ inline float scalbnf(float x, int n) { return ldexpf(x, n); }
__device__ inline double scalbn(double x, int n) { return ldexp(x, n); }
__device__ inline float scalbn(float x, int n) { return ldexpf(x, n); }
__device__ inline float scalblnf(float x, long n) { return ldexpf(x, n > 400 ? 400 : n < -400 ? -400 : (int)n); }
__device__ inline double scalbln(double x, long n) { return ldexp(x, n > 4000 ? 4000 : n < -4000 ? -4000 : (int)n); }
__device__ inline float scalbln(float x, long n) { return scalblnf(x, n); }

// Exponent: INT_MIN for 0 and NaN, INT_MAX for infinity, as CUDA's.
__device__ inline int ilogbf(float x)
{
    int exponent;
    if (x == 0.0f || x != x)
        return (int)0x80000000;
    if (fabsf(x) == __int_as_float(0x7f800000))
        return 0x7fffffff;
    frexpf(x, &exponent);
    return exponent - 1;
}
__device__ inline int ilogb(double x)
{
    int exponent;
    if (x == 0.0 || x != x)
        return (int)0x80000000;
    if (fabs(x) == __longlong_as_double(0x7ff0000000000000ll))
        return 0x7fffffff;
    frexp(x, &exponent);
    return exponent - 1;
}
__device__ inline int ilogb(float x) { return ilogbf(x); }
__device__ inline float logbf(float x)
{
    if (x == 0.0f)
        return __int_as_float((int)0xff800000);
    return fabsf(x) < __int_as_float(0x7f800000) ? (float)ilogbf(x) : x * x;
}
__device__ inline double logb(double x)
{
    if (x == 0.0)
        return __longlong_as_double((long long)0xfff0000000000000ull);
    return fabs(x) < __longlong_as_double(0x7ff0000000000000ll) ? (double)ilogb(x) : x * x;
}
__device__ inline float logb(float x) { return logbf(x); }

__device__ inline float nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0f)
        return copysignf(__int_as_float(1), y);
    int bits = __float_as_int(x);
    return __int_as_float((x < y) == (x > 0.0f) ? bits + 1 : bits - 1);
}
__device__ inline double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0)
        return copysign(__longlong_as_double(1), y);
    long long bits = __double_as_longlong(x);
    return __longlong_as_double((x < y) == (x > 0.0) ? bits + 1 : bits - 1);
}
__device__ inline float nextafter(float x, float y) { return nextafterf(x, y); }
