// Error functions and the normal distribution, of both precisions (single by way of double, which rounds once).

// (1 + 2 x) e^(x^2) erfc x for x >= 0, divided by 1 + 2 x.
__device__ inline double __erfcx_positive(double x)
{
    double inverse = 1.0 / (x + 4.0), t = (x - 4.0) * inverse, error = fma(-t, x, fma(-4.0, t + 1.0, x));
    t = fma(inverse, error, t);
    return __p_erfcx(t) / fma(2.0, x, 1.0);
}
// e^-(square + low) erfcx(x) for x >= 0.
__device__ inline double __erfc_tail(double x, double square, double low)
{
    if (square >= 760.0)
        return 0.0;
    double rest;
    int n;
    double e = __exp_parts(-square, -low, &rest, &n), c = __erfcx_positive(x);
    return __scale(fma(e, c, rest * c), n);
}
__device__ inline double erf(double x)
{
    double a = fabs(x);
    if (!(a >= 1.0))
        return copysign(fma(__p_erf(x * x), x, x), x);
    double square = a * a;
    return copysign(a > 6.0 ? 1.0 : 1.0 - __erfc_tail(a, square, fma(a, a, -square)), x);
}
__device__ inline double erfc(double x)
{
    double a = fabs(x), square = a * a;
    if (!(a >= 0.75))
        return 1.0 - fma(__p_erf(square), x, x);
    double y = __erfc_tail(a, square, square < 760.0 ? fma(a, a, -square) : 0.0);
    return x < 0.0 ? 2.0 - y : y;
}
__device__ inline double erfcx(double x)
{
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (x == infinity)
        return 0.0;
    if (x > 1.0e16)
        return 0.5641895835477563 / x;
    if (x >= 0.75)
        return __erfcx_positive(x);
    if (x < -26.7)
        return infinity;
    double square = x * x, rest;
    int n;
    double e = __exp_parts(square, fma(x, x, -square), &rest, &n);
    if (!(x <= -1.0)) {
        double c = 1.0 - fma(__p_erf(square), x, x);
        return __scale(fma(e, c, rest * c), n);
    }
    double y = 2.0 - __erfc_tail(-x, square, fma(x, x, -square));
    return __scale(e * y, n) + __scale(rest * y, n);
}
// x > 0 where erfc x = y, for y <= 1/2: started within 1e-6, and Halley's step twice.
__device__ inline double __erfcinv_tail(double y)
{
    double s = sqrt(-log(y)), x = s * __p_erfcinv((s - 4.0) / (s + 4.0));
    for (int step = 0; step < 2; step++) {
        double c = __erfcx_positive(x), square = x * x, low = fma(x, x, -square), rest;
        int n;
        double scaled = y < 1.0e-290 ? y * 18014398509481984.0 : y;
        double e = __exp_parts(square, low, &rest, &n);  // erfc x / y - 1 = c / (y e^(x^2)) - 1
        double product = y < 1.0e-290 ? __scale(scaled, n - 54) : __scale(scaled, n);
        double inverse = c / fma(product, e, product * rest), error = inverse - 1.0;
        double d = error * c * 0.886226925452758 / inverse;
        x += d / fma(-d, x, 1.0);
    }
    return x;
}
__device__ inline double erfinv(double y)
{
    double a = fabs(y);
    if (!(a > 0.5))
        return copysign(y * __p_erfinv(y * y), y);
    if (!(a < 1.0))
        return a == 1.0 ? copysign(__longlong_as_double(0x7ff0000000000000ll), y) : __longlong_as_double(0x7fffffffffffffffll);
    return copysign(__erfcinv_tail(1.0 - a), y);
}
__device__ inline double erfcinv(double y)
{
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    if (!(y > 0.0 && y < 2.0))
        return y == 0.0 ? infinity : y == 2.0 ? -infinity : __longlong_as_double(0x7fffffffffffffffll);
    if (y >= 0.5 && y <= 1.5)
        return erfinv(1.0 - y);
    return y < 1.0 ? __erfcinv_tail(y) : -__erfcinv_tail(2.0 - y);
}
__device__ inline double normcdf(double x)
{
    double z = x * -0.7071067811865476, square = 0.5 * x * x;
    if (z < 0.75)
        return z < -6.0 ? 1.0 : 0.5 * erfc(z);
    return 0.5 * __erfc_tail(z, square, square < 760.0 ? fma(0.5 * x, x, -square) : 0.0);
}
__device__ inline double normcdfinv(double p)
{
    if (p > 0.5)
        return 1.4142135623730951 * erfcinv(2.0 * (1.0 - p));
    return -1.4142135623730951 * erfcinv(2.0 * p) + 0.0;
}
__device__ inline float erff(float x) { return (float)erf((double)x); }
__device__ inline float erfcf(float x) { return (float)erfc((double)x); }
__device__ inline float erfcxf(float x) { return (float)erfcx((double)x); }
__device__ inline float erfinvf(float x) { return (float)erfinv((double)x); }
__device__ inline float erfcinvf(float x) { return (float)erfcinv((double)x); }
__device__ inline float normcdff(float x) { return (float)normcdf((double)x); }
__device__ inline float normcdfinvf(float x) { return (float)normcdfinv((double)x); }
#define OVERLOAD(F)                                                                                                             \
    __device__ inline float F(float x) { return F##f(x); }
OVERLOAD(erf)
OVERLOAD(erfc)
OVERLOAD(erfcx)
OVERLOAD(erfinv)
OVERLOAD(erfcinv)
OVERLOAD(normcdf)
OVERLOAD(normcdfinv)
#undef OVERLOAD
