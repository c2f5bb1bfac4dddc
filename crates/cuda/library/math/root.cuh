// Cube roots and lengths of double precision.

// x^(-1/3) for normal x > 0, within 2 ulp: exponent divided by three, then Newton's step.
__device__ inline double __rcbrt_start(double x)
{
    double y = __hiloint2double(0x553ef0ff - __double2hiint(x) / 3, 0);
    y = y * fma(-0.3333333333333333 * x * y, y * y, 1.3333333333333333);
    y = y * fma(-0.3333333333333333 * x * y, y * y, 1.3333333333333333);
    y = y * fma(-0.3333333333333333 * x * y, y * y, 1.3333333333333333);
    return y * fma(-0.3333333333333333 * x * y, y * y, 1.3333333333333333);
}
__device__ inline double cbrt(double x)
{
    double a = fabs(x), scale = 1.0;
    if (!(a > 0.0 && a < __longlong_as_double(0x7ff0000000000000ll)))
        return x + x;
    if (a < 2.2250738585072014e-308) {
        a *= 18014398509481984.0;
        scale = 3.814697265625e-06;
    }
    double y = __rcbrt_start(a), t = a * y * y;
    // t - (t^3 - a) / (3 t^2), with t^2 in two parts.
    double square = t * t, low = fma(t, t, -square), error = fma(t, low, fma(t, square, -a));
    return copysign(fma(error * y * y, -0.3333333333333333, t) * scale, x);
}
__device__ inline double rcbrt(double x)
{
    double a = fabs(x), scale = 1.0;
    if (!(a > 0.0 && a < __longlong_as_double(0x7ff0000000000000ll)))
        return 1.0 / x;
    if (a < 2.2250738585072014e-308) {
        a *= 18014398509481984.0;
        scale = 262144.0;
    }
    double y = __rcbrt_start(a);
    // y + y (1 - a y^3) / 3, with a y and y^2 in two parts.
    double product = a * y, low = fma(a, y, -product), square = y * y, lower = fma(y, y, -square);
    double error = fma(-product, lower, fma(-low, square, fma(-product, square, 1.0)));
    return copysign(fma(y * error, 0.3333333333333333, y) * scale, x);
}
// Power of two that brings the largest of lengths to [1, 2), within what double has both ways.
__device__ inline double __length_scale(double largest)
{
    int exponent = (__double2hiint(largest) >> 20) - 1023;
    exponent = exponent < -1022 ? -1022 : exponent > 1022 ? 1022 : exponent;
    return __hiloint2double((1023 - exponent) << 20, 0);
}
__device__ inline double __infinite_or_nan(bool infinite, double otherwise)
{
    return infinite ? __longlong_as_double(0x7ff0000000000000ll) : otherwise;
}
#define LENGTHS                                                                                                                 \
    double largest = fmax(fmax(fabs(a), fabs(b)), fmax(fabs(c), fabs(d)));                                                \
    bool infinite = largest == __longlong_as_double(0x7ff0000000000000ll);                                                                      \
    double scale = __length_scale(largest);                                                                                     \
    a *= scale;                                                                                                                 \
    b *= scale;                                                                                                                 \
    c *= scale;                                                                                                                 \
    d *= scale;                                                                                                                 \
    double length = sqrt(fma(a, a, fma(b, b, fma(c, c, d * d))));
__device__ inline double norm4d(double a, double b, double c, double d)
{
    LENGTHS
    return __infinite_or_nan(infinite, length / scale);
}
__device__ inline double rnorm4d(double a, double b, double c, double d)
{
    LENGTHS
    // The sum of squares in two parts, and Newton's step for its root's reciprocal.
    double s = a * a, low = fma(a, a, -s), p, q;
#define ADD(X)                                                                                                                  \
    p = X * X;                                                                                                                  \
    low += fma(X, X, -p);                                                                                                       \
    q = s + p;                                                                                                                  \
    low += s > p ? p - (q - s) : s - (q - p);                                                                                   \
    s = q;
    ADD(b)
    ADD(c)
    ADD(d)
#undef ADD
    double y = 1.0 / length, square = y * y;
    double error = fma(-s, square, 1.0) - fma(s, fma(y, y, -square), low * square);
    if (y < 2.0)
        y = fma(y * error, 0.5, y);
    return infinite ? 0.0 : y * scale;
}
#undef LENGTHS
__device__ inline double norm3d(double a, double b, double c) { return norm4d(a, b, c, 0.0); }
__device__ inline double rnorm3d(double a, double b, double c) { return rnorm4d(a, b, c, 0.0); }
__device__ inline double hypot(double a, double b) { return norm4d(a, b, 0.0, 0.0); }
__device__ inline double rhypot(double a, double b) { return rnorm4d(a, b, 0.0, 0.0); }
__device__ inline float cbrt(float a) { return cbrtf(a); }
__device__ inline float rcbrt(float a) { return rcbrtf(a); }
__device__ inline float hypot(float a, float b) { return hypotf(a, b); }
// 1/sqrt(x): the hardware's, and one step of the third order.
__device__ inline double rsqrt(double x)
{
    double scale = 1.0;
    if (x < 2.2250738585072014e-308 && x > 0.0) {
        x *= 18014398509481984.0;
        scale = 134217728.0;
    }
    double y = __builtin_rsqrt_approx_ftz(x);
    if (!(x > 0.0 && x < __longlong_as_double(0x7ff0000000000000ll)))
        return x == 0.0 ? copysign(__longlong_as_double(0x7ff0000000000000ll), x)
            : x < 0.0 ? __longlong_as_double(0x7fffffffffffffffll) : y;
    double product = x * y, low = fma(x, y, -product), error = fma(-low, y, fma(-product, y, 1.0));
    return fma(y * error, fma(0.375, error, 0.5), y) * scale;
}
__device__ inline float rsqrt(float x) { return rsqrtf(x); }
// Of any number of components: twice over them, for the largest and for the sum of squares.
__device__ inline double __norm_sum(int count, const double *v, double *scale, bool *infinite)
{
    double largest = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(v[i]));
    *infinite = largest == __longlong_as_double(0x7ff0000000000000ll);
    *scale = __length_scale(largest);
    for (int i = 0; i < count; i++) {
        double a = v[i] * *scale;
        sum = fma(a, a, sum);
    }
    return sum;
}
__device__ inline double norm(int count, const double *v)
{
    double scale;
    bool infinite;
    double sum = __norm_sum(count, v, &scale, &infinite);
    return __infinite_or_nan(infinite, sqrt(sum) / scale);
}
__device__ inline double rnorm(int count, const double *v)
{
    double scale;
    bool infinite;
    double sum = __norm_sum(count, v, &scale, &infinite);
    return infinite ? 0.0 : 1.0 / sqrt(sum) * scale;
}
