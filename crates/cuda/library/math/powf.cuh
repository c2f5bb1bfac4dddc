// Powers of single precision: log x in two parts, of which the sum has about 32 bits, times y, and e to that.

struct __pairf {
    float high, low;
};
// log x of a positive finite number, by s = f / (2 + f): 2 s + s^3 P(s^2) + k log 2.
__device__ inline __pairf __log_pairf(float x)
{
    float k = 0.0f;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        k = -23.0f;
    }
    int bits = __float_as_int(x), exponent = (bits - 0x3f3504f3) & (int)0xff800000;
    k += (float)(exponent >> 23);
    float m = __int_as_float(bits - exponent), f = m - 1.0f, g = m + 1.0f, lost = m - (g - 1.0f);
    float s = f / g, rest = fmaf(-s, lost, fmaf(-s, g, f)) / g, z = s * s;
    float tail = fmaf(s * z, __p_log_sf(z), 2.0f * rest), large = k * 0.693145752f, two = 2.0f * s, sum = large + two;
    float low = (k == 0.0f ? 0.0f : two - (sum - large)) + fmaf(k, 1.42860677e-6f, tail);
    __pairf result;
    result.high = sum + low;
    result.low = low - (result.high - sum);
    return result;
}
// x^y for x > 0.
__device__ inline float __pow_positivef(float x, float y)
{
    __pairf l = __log_pairf(x);
    float p = y * l.high, low = fmaf(y, l.low, fmaf(y, l.high, -p));
    if (!(fabsf(p) < 110.0f)) {
        p = p > 0.0f ? 110.0f : -110.0f;
        low = 0.0f;
    }
    int n;
    float e = __exp_partsf(p, low, &n);
    return __scalef(e, n);
}
#ifdef __USE_FAST_MATH__
__device__ inline float powf(float x, float y) { return __builtin_ex2_approx(y * __log2f(x)); }
#else
__device__ inline float powf(float x, float y)
{
    const float infinity = __int_as_float(0x7f800000);
    if (x == 1.0f || y == 0.0f)
        return 1.0f;
    if (x != x || y != y)
        return x + y;
    float a = fabsf(x), half = 0.5f * y;
    bool whole = truncf(y) == y, odd = whole && truncf(half) != half;
    if (fabsf(y) == infinity)
        return a == 1.0f ? 1.0f : (a > 1.0f) == (y > 0.0f) ? infinity : 0.0f;
    float r;
    if (a == 0.0f || a == infinity)
        r = (a == 0.0f) == (y > 0.0f) ? 0.0f : infinity;
    else if (x < 0.0f && !whole)
        return __int_as_float(0x7fffffff);
    else
        r = __pow_positivef(a, y);
    return odd && __float_as_int(x) < 0 ? -r : r;
}
#endif
// By squaring, in double precision, so that what is rounded on the way does not show.
__device__ inline float powif(float x, int n)
{
    double result = 1.0, base = x;
    unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    for (; left != 0; left >>= 1) {
        if (left & 1)
            result *= base;
        base *= base;
    }
    return (float)(n < 0 ? 1.0 / result : result);
}
