// Logarithms of double precision: x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), s = f / (2 + f), and a polynomial in s^2:
// log(1 + f) = f - (f^2/2 - s (f^2/2 + R)), R = s^2 P(s^2). (As in K. Ng's log of FDLIBM, where the error is bounded.)

__device__ inline double __log_parts(double x, double *k)
{
    double low = 0.0;
    if (x < 2.2250738585072014e-308) {
        x *= 18014398509481984.0;
        low = -54.0;
    }
    int high = __double2hiint(x), exponent = (high - 0x3fe6a09e) & (int)0xfff00000;
    *k = (double)(exponent >> 20) + low;
    return __hiloint2double(high - exponent, __double2loint(x)) - 1.0;
}
__device__ inline double __log_special(double x)
{
    return x == 0.0 ? __longlong_as_double((long long)0xfff0000000000000ull)
        : x < 0.0 ? __longlong_as_double(0x7fffffffffffffffll) : x + x;
}
// f^2/2 - log(1 + f) + f.
__device__ inline double __log_tail(double f, double half)
{
    double s = f / (2.0 + f), z = s * s;
    return s * fma(z, __p_log(z), half);
}
__device__ inline double log(double x)
{
    if (!(x > 0.0 && x < __longlong_as_double(0x7ff0000000000000ll)))
        return __log_special(x);
    double k, f = __log_parts(x, &k), half = 0.5 * f * f, large = k * 0.6931471805592082, sum = large + f;
    double rest = k == 0.0 ? 0.0 : f - (sum - large);
    return sum - ((half - (__log_tail(f, half) + fma(k, 7.371002565167799e-13, rest))));
}
// log(1 + f) in two parts.
__device__ inline double __log_pair(double f, double *low)
{
    double half = 0.5 * f * f, error = fma(0.5 * f, f, -half), high = f - half;
    *low = (f - high) - half - error + __log_tail(f, half);
    double sum = high + *low;
    *low += high - sum;
    return sum;
}
__device__ inline double log2(double x)
{
    if (!(x > 0.0 && x < __longlong_as_double(0x7ff0000000000000ll)))
        return __log_special(x);
    double k, low, high = __log_pair(__log_parts(x, &k), &low);
    double p = high * 1.4426950408889634, rest = fma(high, 1.4426950408889634, -p) + fma(high, 2.0355273740931033e-17, low * 1.4426950408889634);
    double sum = k + p;
    return sum + ((k == 0.0 ? 0.0 : p - (sum - k)) + rest);
}
__device__ inline double log10(double x)
{
    if (!(x > 0.0 && x < __longlong_as_double(0x7ff0000000000000ll)))
        return __log_special(x);
    double k, low, high = __log_pair(__log_parts(x, &k), &low);
    double p = high * 0.4342944819032518, rest = fma(high, 0.4342944819032518, -p) + fma(high, 1.098319650216765e-17, low * 0.4342944819032518);
    double large = k * 0.30102999566383914, sum = large + p;
    return sum + ((k == 0.0 ? 0.0 : p - (sum - large)) + fma(k, 1.42050232272661e-13, rest));
}
__device__ inline double log1p(double x)
{
    if (!(x > -1.0 && x < 4503599627370496.0))
        return x == -1.0 ? __longlong_as_double((long long)0xfff0000000000000ull) : log(x);
    if (x == 0.0)
        return x;
    int exponent = (__double2hiint(1.0 + x) - 0x3fe6a09e) & (int)0xfff00000;
    double k = (double)(exponent >> 20), scale = __hiloint2double(0x3ff00000 - exponent, 0);
    double a = scale - 1.0, b = x * scale, f = a + b, part = f - a, low = (a - (f - part)) + (b - part);
    double half = 0.5 * f * f, large = k * 0.6931471805592082, sum = large + f;
    double rest = (k == 0.0 ? 0.0 : f - (sum - large)) + low - low * f;
    return sum - ((half - (__log_tail(f, half) + fma(k, 7.371002565167799e-13, rest))));
}
__device__ inline double asinh(double x)
{
    double a = fabs(x);
    if (a > 268435456.0)
        return copysign(log(a) + 0.6931471805599453, x);
    return copysign(log1p(a + a * a / (1.0 + sqrt(fma(a, a, 1.0)))), x);
}
__device__ inline double acosh(double x)
{
    if (x > 268435456.0)
        return log(x) + 0.6931471805599453;
    double t = x - 1.0;
    if (t < 0.0)
        return __longlong_as_double(0x7fffffffffffffffll);
    return log1p(t + sqrt(fma(t, t, 2.0 * t)));
}
__device__ inline double atanh(double x)
{
    double a = fabs(x);
    return copysign(0.5 * log1p(2.0 * a / (1.0 - a)), x);
}
__device__ inline float log(float x) { return logf(x); }
__device__ inline float log2(float x) { return log2f(x); }
__device__ inline float log10(float x) { return log10f(x); }
__device__ inline float log1p(float x) { return log1pf(x); }
__device__ inline float asinh(float x) { return asinhf(x); }
__device__ inline float acosh(float x) { return acoshf(x); }
__device__ inline float atanh(float x) { return atanhf(x); }
