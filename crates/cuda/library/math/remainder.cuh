// Remainders, of both precisions: exact.
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
