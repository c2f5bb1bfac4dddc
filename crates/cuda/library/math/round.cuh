// Rounding, remainders and parts of floating-point numbers, of both precisions: all exact.
__device__ inline float roundf(float x)
{
    float t = truncf(x);
    return copysignf(fabsf(x - t) >= 0.5f ? t + copysignf(1.0f, x) : t, x);
}
__device__ inline double round(double x)
{
    double t = trunc(x);
    return copysign(fabs(x - t) >= 0.5 ? t + copysign(1.0, x) : t, x);
}
__device__ inline float round(float x) { return roundf(x); }
__device__ inline long lroundf(float x) { return (long)__float2ll_rz(roundf(x)); }
__device__ inline long lround(double x) { return (long)__double2ll_rz(round(x)); }
__device__ inline long lround(float x) { return lroundf(x); }
__device__ inline long long llroundf(float x) { return __float2ll_rz(roundf(x)); }
__device__ inline long long llround(double x) { return __double2ll_rz(round(x)); }
__device__ inline long long llround(float x) { return llroundf(x); }
__device__ inline long lrintf(float x) { return (long)__float2ll_rn(x); }
__device__ inline long lrint(double x) { return (long)__double2ll_rn(x); }
__device__ inline long lrint(float x) { return lrintf(x); }
__device__ inline long long llrintf(float x) { return __float2ll_rn(x); }
__device__ inline long long llrint(double x) { return __double2ll_rn(x); }
__device__ inline long long llrint(float x) { return llrintf(x); }

__device__ inline float fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }
__device__ inline double fdim(double x, double y) { return x <= y ? 0.0 : x - y; }
__device__ inline float fdim(float x, float y) { return fdimf(x, y); }

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

// Remainder of the division of |x| by |y|, and the lowest bits of the quotient: bit by bit in integers.
__device__ inline unsigned __remainder_bitsf(unsigned a, unsigned b, unsigned *quotient)
{
    int ea = (int)(a >> 23), eb = (int)(b >> 23), zeros;
    unsigned ma = ea ? (a & 0x7fffff) | 0x800000 : a, mb = eb ? (b & 0x7fffff) | 0x800000 : b, q = 0;
    ea = ea ? ea : 1;
    eb = eb ? eb : 1;
    zeros = __clz((int)mb) - 8;
    mb <<= zeros;
    eb -= zeros;
    zeros = ma ? __clz((int)ma) - 8 : 0;
    ma <<= zeros;
    ea -= zeros;
    if (ea < eb || ma == 0) {
        *quotient = 0;
        return a;
    }
    for (;; ea--) {
        q <<= 1;
        if (ma >= mb) {
            ma -= mb;
            q |= 1;
        }
        if (ea == eb)
            break;
        ma <<= 1;
    }
    *quotient = q;
    if (ma == 0)
        return 0;
    zeros = __clz((int)ma) - 8;
    ma <<= zeros;
    eb -= zeros;
    return eb > 0 ? (ma & 0x7fffff) | (unsigned)eb << 23 : ma >> (1 - eb);
}
__device__ inline unsigned long long __remainder_bits(unsigned long long a, unsigned long long b, unsigned *quotient)
{
    int ea = (int)(a >> 52), eb = (int)(b >> 52), zeros;
    const unsigned long long one = 0x10000000000000ull, below = 0xfffffffffffffull;
    unsigned long long ma = ea ? (a & below) | one : a, mb = eb ? (b & below) | one : b;
    unsigned q = 0;
    ea = ea ? ea : 1;
    eb = eb ? eb : 1;
    zeros = __clzll((long long)mb) - 11;
    mb <<= zeros;
    eb -= zeros;
    zeros = ma ? __clzll((long long)ma) - 11 : 0;
    ma <<= zeros;
    ea -= zeros;
    if (ea < eb || ma == 0) {
        *quotient = 0;
        return a;
    }
    for (;; ea--) {
        q <<= 1;
        if (ma >= mb) {
            ma -= mb;
            q |= 1;
        }
        if (ea == eb)
            break;
        ma <<= 1;
    }
    *quotient = q;
    if (ma == 0)
        return 0;
    zeros = __clzll((long long)ma) - 11;
    ma <<= zeros;
    eb -= zeros;
    return eb > 0 ? (ma & below) | (unsigned long long)eb << 52 : ma >> (1 - eb);
}
__device__ inline float fmodf(float x, float y)
{
    unsigned q;
    float a = fabsf(x), b = fabsf(y);
    if (!(a < __int_as_float(0x7f800000)) || !(b > 0.0f))
        return __int_as_float(0x7fffffff);
    return a < b ? x : copysignf(__uint_as_float(__remainder_bitsf(__float_as_uint(a), __float_as_uint(b), &q)), x);
}
__device__ inline double fmod(double x, double y)
{
    unsigned q;
    double a = fabs(x), b = fabs(y);
    if (!(a < __longlong_as_double(0x7ff0000000000000ll)) || !(b > 0.0))
        return __longlong_as_double(0x7fffffffffffffffll);
    unsigned long long bits = (unsigned long long)__double_as_longlong(a);
    if (a < b)
        return x;
    bits = __remainder_bits(bits, (unsigned long long)__double_as_longlong(b), &q);
    return copysign(__longlong_as_double((long long)bits), x);
}
__device__ inline float fmod(float x, float y) { return fmodf(x, y); }
// To the nearest quotient, ties to even; its three lowest bits with its sign.
__device__ inline float remquof(float x, float y, int *quotient)
{
    unsigned q = 0;
    float a = fabsf(x), b = fabsf(y);
    *quotient = 0;
    if (!(a < __int_as_float(0x7f800000)) || !(b > 0.0f))
        return __int_as_float(0x7fffffff);
    float r = a;
    if (!(a < b))
        r = __uint_as_float(__remainder_bitsf(__float_as_uint(a), __float_as_uint(b), &q));
    float other = b - r;  // exact where it matters
    if (r > other || (r == other && (q & 1))) {
        r -= b;
        q++;
    }
    *quotient = (__float_as_int(x) ^ __float_as_int(y)) < 0 ? -(int)(q & 7) : (int)(q & 7);
    return r == 0.0f ? copysignf(r, x) : __float_as_int(x) < 0 ? -r : r;
}
__device__ inline double remquo(double x, double y, int *quotient)
{
    unsigned q = 0;
    double a = fabs(x), b = fabs(y);
    *quotient = 0;
    if (!(a < __longlong_as_double(0x7ff0000000000000ll)) || !(b > 0.0))
        return __longlong_as_double(0x7fffffffffffffffll);
    double r = a;
    if (!(a < b)) {
        unsigned long long bits = (unsigned long long)__double_as_longlong(a);
        r = __longlong_as_double((long long)__remainder_bits(bits, (unsigned long long)__double_as_longlong(b), &q));
    }
    double other = b - r;
    if (r > other || (r == other && (q & 1))) {
        r -= b;
        q++;
    }
    *quotient = (__double2hiint(x) ^ __double2hiint(y)) < 0 ? -(int)(q & 7) : (int)(q & 7);
    return r == 0.0 ? copysign(r, x) : __double2hiint(x) < 0 ? -r : r;
}
__device__ inline float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
__device__ inline float remainderf(float x, float y)
{
    int q;
    return remquof(x, y, &q);
}
__device__ inline double remainder(double x, double y)
{
    int q;
    return remquo(x, y, &q);
}
__device__ inline float remainder(float x, float y) { return remainderf(x, y); }
