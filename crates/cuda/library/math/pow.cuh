// Powers of double precision: log x in two parts, of which the sum has about 66 bits, times y, and e to that.

struct __pair {
    double high, low;
};
__device__ inline __pair __sum(double a, double b)  // |a| >= |b|
{
    __pair s;
    s.high = a + b;
    s.low = b - (s.high - a);
    return s;
}
__device__ inline __pair __product(__pair a, __pair b)
{
    double p = a.high * b.high;
    return __sum(p, fma(a.high, b.low, fma(a.low, b.high, fma(a.high, b.high, -p))));
}
// log x of a positive finite number, by s = f / (2 + f): 2 s + s^3 (2/3 + z P(z)) + k log 2, z = s^2.
__device__ inline __pair __log_double(double x)
{
    double k = 0.0;
    if (x < 2.2250738585072014e-308) {
        x *= 18014398509481984.0;
        k = -54.0;
    }
    int high = __double2hiint(x), exponent = (high - 0x3fe6a09e) & (int)0xfff00000;
    k += (double)(exponent >> 20);
    double m = __hiloint2double(high - exponent, __double2loint(x)), f = m - 1.0, g = m + 1.0, lost = m - (g - 1.0);
    __pair s, c, z;
    s.high = f / g;
    s.low = fma(-s.high, lost, fma(-s.high, g, f)) / g;
    z = __product(s, s);
    double tail = z.high * __p_log_s(z.high);
    c = __sum(0.6666666666666666, tail);
    c.low += 3.700743415417188e-17;
    __pair cube = __product(__product(z, s), c), two = __sum(2.0 * s.high, cube.high);
    two.low += 2.0 * s.low + cube.low;
    __pair sum = __sum(k * 0.6931471803691238, two.high);
    if (k == 0.0)
        return __sum(two.high, two.low);
    sum.low += two.low + fma(k, 1.9082149292705877e-10, k * 1.1612227229362532e-26);
    return __sum(sum.high, sum.low);
}
__device__ inline double __pow_positive(double x, double y)
{
    __pair l = __log_double(x);
    double p = y * l.high, low = fma(y, l.low, fma(y, l.high, -p)), rest;
    if (!(fabs(p) < 750.0)) {
        p = p > 0.0 ? 750.0 : -750.0;
        low = 0.0;
    }
    int n;
    double e = __exp_parts(p, low, &rest, &n);
    return __scale(e + rest, n);
}
__device__ inline double pow(double x, double y)
{
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (x == 1.0 || y == 0.0)
        return 1.0;
    if (x != x || y != y)
        return x + y;
    double a = fabs(x), half = 0.5 * y;
    bool whole = trunc(y) == y, odd = whole && trunc(half) != half;
    if (fabs(y) == infinity)
        return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? infinity : 0.0;
    double r;
    if (a == 0.0 || a == infinity)
        r = (a == 0.0) == (y > 0.0) ? 0.0 : infinity;
    else if (x < 0.0 && !whole)
        return __longlong_as_double(0x7fffffffffffffffll);
    else
        r = __pow_positive(a, y);
    return odd && __double2hiint(x) < 0 ? -r : r;
}
__device__ inline double powi(double x, int n) { return pow(x, (double)n); }
__device__ inline double pow(double x, int n) { return pow(x, (double)n); }
__device__ inline float pow(float x, float y) { return powf(x, y); }
__device__ inline float pow(float x, int n) { return powif(x, n); }
// Of numbers of other types nvcc on Linux has std::pow, which converts both to double; what promotes to int is an exponent of those above.
template <bool> struct __pow_of_others {
};
template <> struct __pow_of_others<true> {
    typedef double type;
};
#define __NUMBER(T) (__is_integral(T) || __is_floating_point(T))
template <typename T, typename U>
__device__ inline typename __pow_of_others<__NUMBER(T) && __NUMBER(U) && !(__is_floating_point(T) && __is_integral(U) && sizeof(U) < 4)>::type
pow(T x, U y)
{
    return pow((double)x, (double)y);
}
#undef __NUMBER
