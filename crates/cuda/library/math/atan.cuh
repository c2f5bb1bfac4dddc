// Inverse sine, cosine and tangent of double precision: polynomials in x^2, for the tangent on [0, 1] and for the others on [0, 1/2].

__device__ inline double __atan_kernel(double t)
{
    double z = t * t;
    return fma(__p_atan(z) * z, t, t);
}
__device__ inline double atan(double x)
{
    double a = fabs(x);
    double t = __atan_kernel(a > 1.0 ? 1.0 / a : a);
    return copysign(a > 1.0 ? 1.5707963267948966 - (t - 6.123233995736766e-17) : t, x);
}
__device__ inline double atan2(double y, double x)
{
    double a = fabs(x), b = fabs(y), low = fmin(a, b), high = fmax(a, b);
    if (x != x || y != y)
        return x + y;
    double quotient = low == high ? (high == 0.0 ? 0.0 : 1.0) : low / high;
    double t = __atan_kernel(quotient);
    if (b > a)
        t = 1.5707963267948966 - (t - 6.123233995736766e-17);
    if (__double2hiint(x) < 0)
        t = 3.1415926535897931 - (t - 1.2246467991473532e-16);
    return copysign(t, y);
}
__device__ inline double __asin_kernel(double t, double z) { return fma(__p_asin(z) * z, t, t); }
__device__ inline double asin(double x)
{
    double a = fabs(x);
    if (a <= 0.5)
        return __asin_kernel(x, x * x);
    double z = fma(a, -0.5, 0.5), t = __asin_kernel(sqrt(z), z);
    return copysign(fma(t, -2.0, 1.5707963267948966) + 6.123233995736766e-17, x);
}
__device__ inline double acos(double x)
{
    double a = fabs(x);
    if (a <= 0.5)
        return 1.5707963267948966 - (__asin_kernel(x, x * x) - 6.123233995736766e-17);
    double z = fma(a, -0.5, 0.5), t = 2.0 * __asin_kernel(sqrt(z), z);
    return x < 0.0 ? 3.1415926535897931 - (t - 1.2246467991473532e-16) : t;
}
__device__ inline float atan(float x) { return atanf(x); }
__device__ inline float asin(float x) { return asinf(x); }
__device__ inline float acos(float x) { return acosf(x); }
__device__ inline float atan2(float y, float x) { return atan2f(y, x); }
