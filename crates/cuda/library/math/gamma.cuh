// The gamma function and its logarithm, of both precisions (single by way of double).

// For 0 < x < 11: the polynomial around 2, and x (x + 1) ... or its inverse.
__device__ inline double __gamma_small(double x)
{
    double whole = rint(x), r = x - whole, g = __p_gamma(r);
    if (whole < 2.0)
        return whole == 1.0 ? g / x : g / (x * (x + 1.0));
    double product = 1.0;
    for (double k = whole - 2.0; k > 0.0; k -= 1.0)
        product *= x - k;
    return g * product;
}
// For x >= 11, as the product of two numbers, since one may be infinite.
__device__ inline double __gamma_large(double x, double *other)
{
    double power = pow(x, 0.5 * x - 0.25);
    *other = power;
    return power * (exp(-x) * (2.5066282746310007 * __p_stirling(1.0 / x)));
}
__device__ inline double tgamma(double x)
{
    const double infinity = __longlong_as_double(0x7ff0000000000000ll), nan = __longlong_as_double(0x7fffffffffffffffll);
    if (x == 0.0)
        return copysign(infinity, x);
    if (!(x > -infinity && x < infinity))
        return x > 0.0 ? x : nan;
    double a = fabs(x), other = 1.0, g;
    if (x < 0.0 && trunc(x) == x)
        return nan;
    if (x > 172.0)
        return infinity;
    if (x > 0.0) {
        if (x < 11.0)
            return __gamma_small(x);
        g = __gamma_large(x, &other);
        return g * other;
    }
    // gamma(x) = -pi / (-x sin(pi -x) gamma(-x))
    if (a > 185.0)
        return copysign(0.0, rint(0.5 * floor(x)) == 0.5 * floor(x) ? 1.0 : -1.0);
    if (a < 1.0e-20)
        return 1.0 / x;
    if (a < 11.0)
        g = __gamma_small(a);
    else
        g = __gamma_large(a, &other);
    return -3.141592653589793 / (a * sinpi(a)) / g / other;
}
__device__ inline double __lgamma_positive(double x)
{
    if (x < 11.0) {
        double whole = x > 1.28 && x < 1.5 ? 2.0 : rint(x), r = x - whole;  // from 1.28 on, 2
        if (whole > 2.0)
            return log(__gamma_small(x));
        double y = r * __p_lgamma(r);
        if (whole < 2.0)
            y -= log1p(r);
        return whole == 0.0 ? y - log(x) : y;
    }
    if (x > 1.0e300)
        return x > 2.5559833278516e305 ? __longlong_as_double(0x7ff0000000000000ll) : x * (log(x) - 1.0);
    double inverse = 1.0 / x, l = log(x);
    return fma(x - 0.5, l - 1.0, fma(__p_lgamma_rest(inverse * inverse), inverse, 0.4189385332046727));
}
__device__ inline double lgamma(double x)
{
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    double a = fabs(x);
    if (!(a < infinity))
        return x * x;
    if (x > 0.0)
        return __lgamma_positive(x);
    if (trunc(x) == x)
        return infinity;
    if (a < 1.0e-20)
        return -log(a);
    return log(3.141592653589793 / fabs(a * sinpi(a))) - __lgamma_positive(a);
}
__device__ inline float tgammaf(float x) { return (float)tgamma((double)x); }
__device__ inline float lgammaf(float x) { return (float)lgamma((double)x); }
__device__ inline float tgamma(float x) { return tgammaf(x); }
__device__ inline float lgamma(float x) { return lgammaf(x); }
