// Sine, cosine and tangent of double precision: as in trigf.cuh.

__device__ inline __quadrant __reduce(double x)
{
    if (!(fabs(x) < 1.0e9))
        return __payne_hanek(x);
    __quadrant result;
    double whole = rint(x * 0.63661977236758138);
    result.q = (int)whole;
    double large = fma(whole, -1.5707963267948966, x), r = fma(whole, -6.123233995736766e-17, large);
    double low = fma(whole, -6.123233995736766e-17, large - r);
    r = fma(whole, 1.4973849048591833e-33, r);
    result.r = result.q == 0 ? x : r;
    result.low = fabs(large) > 0.01 && result.q != 0 ? low : 0.0;  // of small ones the difference above is not exact
    return result;
}
__device__ inline double __sin_kernel(double r)
{
    double z = r * r;
    return copysign(fma(__p_sin(z) * z, r, r), r);
}
__device__ inline double __cos_kernel(double r)
{
    double z = r * r;
    return fma(fma(__p_cos(z), z, -0.5), z, 1.0);
}
__device__ inline double __sin_quadrant(double r, int q)
{
    double y = q & 1 ? __cos_kernel(r) : __sin_kernel(r);
    return q & 2 ? -y : y;
}
__device__ inline double sin(double x)
{
    __quadrant reduced = __reduce(x);
    return __sin_quadrant(reduced.r, reduced.q);
}
__device__ inline double cos(double x)
{
    __quadrant reduced = __reduce(x);
    return __sin_quadrant(reduced.r, reduced.q + 1);
}
__device__ inline void sincos(double x, double *s, double *c)
{
    __quadrant reduced = __reduce(x);
    double a = __sin_kernel(reduced.r), b = __cos_kernel(reduced.r);
    int q = reduced.q;
    double y = q & 1 ? b : a, z = q & 1 ? a : b;
    *s = q & 2 ? -y : y;
    *c = (q + 1) & 2 ? -z : z;
}
__device__ inline double tan(double x)
{
    __quadrant reduced = __reduce(x);
    double r = reduced.r, z = r * r, p = __p_tan(z) * z * r, t = r + p;
    p += reduced.low * fma(t, t, 1.0);
    t = copysign(r + p, r);
    if ((reduced.q & 1) == 0)
        return t;
    // -1/t, corrected by what is lost in t and by the remainder.
    double quotient = -1.0 / t;
    return fma(quotient, fma(quotient, t, 1.0) + quotient * ((r - t) + p), quotient);
}
__device__ inline __quadrant __reduce_pi(double x)
{
    __quadrant result;
    if (!(fabs(x) < 9007199254740992.0))
        x *= 0.0;
    double whole = rint(2.0 * x);
    result.q = (int)(long long)whole;
    result.r = whole == 0.0 ? x : fma(whole, -0.5, x);
    return result;
}
__device__ inline double __sinpi_kernel(double r)
{
    double z = r * r;
    return fma(r, 3.1415926535897931, r * fma(__p_sinpi(z), z, 1.2246467991473532e-16));
}
__device__ inline double __cospi_kernel(double r)
{
    double z = r * r;
    return fma(__p_cospi(z), z, 1.0);
}
__device__ inline double __sinpi_quadrant(double r, int q)
{
    double y = q & 1 ? __cospi_kernel(r) : __sinpi_kernel(r);
    return q & 2 ? -y : y;
}
__device__ inline double sinpi(double x)
{
    __quadrant reduced = __reduce_pi(x);
    double y = __sinpi_quadrant(reduced.r, reduced.q);
    return y == 0.0 ? copysign(y, x) : y;
}
__device__ inline double cospi(double x)
{
    __quadrant reduced = __reduce_pi(x);
    return __sinpi_quadrant(reduced.r, reduced.q + 1) + 0.0;
}
__device__ inline void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
__device__ inline float sin(float x) { return sinf(x); }
__device__ inline float cos(float x) { return cosf(x); }
__device__ inline float tan(float x) { return tanf(x); }
__device__ inline float sinpi(float x) { return sinpif(x); }
__device__ inline float cospi(float x) { return cospif(x); }
__device__ inline void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__device__ inline void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
