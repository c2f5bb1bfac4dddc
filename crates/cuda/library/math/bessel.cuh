// Bessel functions, of both precisions (single by way of double). Below 8, polynomials between and around the zeros, of which the
// distance is taken in two parts; from 8 on, Hankel's form with polynomials in (8 / x)^2.

// sqrt(pi x) times the function is p s + q c, where s and c are sin x +- cos x.
__device__ inline double __hankel(double x, double p, double q, bool first, double sign)
{
    double s, c;
    sincos(x, &s, &c);
    double a = s + c, b = s - c;
    return (first ? p * a - q * b : fma(p, b, q * a)) * (sign * 0.5641895835477563) / sqrt(x);
}
__device__ inline double j0(double x)
{
    double a = fabs(x), z = x * x;
    if (a < 1.3)
        return fma(__p_j0_a(z), z, 1.0);
    if (a < 4.0)
        return ((a - 2.404825557695773) + 1.176691651530894e-16) * __p_j0_b(a - 2.65);
    if (a < 7.1)
        return ((a - 5.520078110286311) - 8.088597146146722e-17) * __p_j0_c(a - 5.55);
    if (a < 8.0)
        return ((a - 8.653727912911013) + 2.92812607320779e-16) * __p_j0_d(a - 7.55);
    if (!(a < __longlong_as_double(0x7ff0000000000000ll)))
        return x == x ? 0.0 : x;
    double r = 8.0 / a;
    return __hankel(a, __p_hankel_p0(r * r), r * __p_hankel_q0(r * r), true, 1.0);
}
__device__ inline double j1(double x)
{
    double a = fabs(x), z = x * x, y;
    if (a < 1.9)
        return x * fma(__p_j1_a(z), z, 0.5);
    if (a < 5.5)
        y = ((a - 3.8317059702075125) + 1.5269184090088067e-16) * __p_j1_b(a - 3.7);
    else if (a < 8.0)
        y = ((a - 7.015586669815619) + 9.414165653410389e-17) * __p_j1_c(a - 6.75);
    else if (!(a < __longlong_as_double(0x7ff0000000000000ll)))
        return x == x ? copysign(0.0, x) : x;
    else {
        double r = 8.0 / a;
        y = __hankel(a, __p_hankel_p1(r * r), r * __p_hankel_q1(r * r), false, 1.0);
    }
    return x < 0.0 ? -y : y;
}
// Where x is not positive and finite.
__device__ inline double __bessel_y_special(double x)
{
    return x == 0.0 ? __longlong_as_double((long long)0xfff0000000000000ull)
        : x > 0.0 ? 0.0 : __longlong_as_double(0x7fffffffffffffffll);
}
__device__ inline double y0(double x)
{
    if (!(x > 0.0 && x < __longlong_as_double(0x7ff0000000000000ll)))
        return __bessel_y_special(x);
    if (x < 1.6) {
        const double zero = 0.8935769662791675;
        double d = (x - zero) - 2.6596231539720385e-17, z = x * x;
        double l = fabs(d) < 0.4 ? log1p(d * 1.1190977808704887) : log(x) + 0.11252280788079412;
        return fma(0.6366197723675814 * l, j0(x), d * (x + zero) * __p_y0_a(z));
    }
    if (x < 2.6)
        return __p_y0_b(x - 2.1);
    if (x < 5.5)
        return ((x - 3.957678419314858) + 1.0764340697562706e-16) * __p_y0_c(x - 4.05);
    if (x < 8.0)
        return ((x - 7.086051060301773) + 8.835285723085408e-17) * __p_y0_d(x - 6.75);
    double r = 8.0 / x;
    return __hankel(x, __p_hankel_p0(r * r), r * __p_hankel_q0(r * r), false, 1.0);
}
__device__ inline double y1(double x)
{
    if (!(x > 0.0 && x < __longlong_as_double(0x7ff0000000000000ll)))
        return __bessel_y_special(x);
    if (x < 1.6) {
        if (x < 1.0e-10)
            return -0.6366197723675814 / x;
        return fma(0.6366197723675814, log(x) * j1(x) - 1.0 / x, x * __p_y1_a(x * x));
    }
    if (x < 2.8)
        return ((x - 2.197141326031017) + 4.8259835876454966e-17) * __p_y1_b(x - 2.2);
    if (x < 7.0)
        return ((x - 5.429681040794135) - 4.162514026670377e-16) * __p_y1_c(x - 4.9);
    if (x < 8.0)
        return ((x - 8.596005868331169) - 2.8415838340063664e-16) * __p_y1_d(x - 7.5);
    double r = 8.0 / x;
    return __hankel(x, __p_hankel_p1(r * r), r * __p_hankel_q1(r * r), true, -1.0);
}
// Recurrence: upwards where it is stable, else downwards from where the function vanishes (J. Miller).
__device__ inline double jn(int n, double x)
{
    if (n < 0)
        return __longlong_as_double(0x7fffffffffffffffll);
    if (n == 0)
        return j0(x);
    if (n == 1)
        return j1(x);
    double a = fabs(x), y;
    if (x != x)
        return x;
    if (a == 0.0 || a == __longlong_as_double(0x7ff0000000000000ll))
        return 0.0;
    if (a < 1.0e-8) {  // the first term
        y = 1.0;
        for (int k = 1; k <= n; k++)
            y *= 0.5 * a / (double)k;
    } else if (a > (double)n) {
        double two = 2.0 / a, before = j0(a);
        y = j1(a);
        for (int k = 1; k < n; k++) {
            double next = fma((double)k * two, y, -before);
            before = y;
            y = next;
        }
    } else {
        double two = 2.0 / a, above = 0.0, here = 1.0, sum = 0.0;
        y = 0.0;
        for (int k = 2 * ((n + (int)sqrt(160.0 * (double)n)) / 2); k > 0; k--) {
            double below = fma((double)k * two, here, -above);
            above = here;
            here = below;
            if (fabs(here) > 1.0e200) {
                here *= 1.0e-200;
                above *= 1.0e-200;
                y *= 1.0e-200;
                sum *= 1.0e-200;
            }
            if (k % 2 == 1)
                sum += k == 1 ? here : 2.0 * here;
            if (k == n)
                y = above;
        }
        y /= sum;
    }
    return x < 0.0 && n % 2 == 1 ? -y : y;
}
__device__ inline double yn(int n, double x)
{
    if (n < 0)
        return __longlong_as_double(0x7fffffffffffffffll);
    if (n == 0)
        return y0(x);
    if (n == 1 || !(x > 0.0 && x < __longlong_as_double(0x7ff0000000000000ll)))
        return y1(x);
    double two = 2.0 / x, before = y0(x), y = y1(x);
    for (int k = 1; k < n && y > -__longlong_as_double(0x7ff0000000000000ll); k++) {
        double next = fma((double)k * two, y, -before);
        before = y;
        y = next;
    }
    return y;
}
__device__ inline double __bessel_i_large(double a, double p)
{
    double root = p / sqrt(a);
    if (a < 700.0)
        return exp(a) * root;
    double half = exp(0.5 * a);
    return a > 720.0 ? __longlong_as_double(0x7ff0000000000000ll) : half * root * half;
}
__device__ inline double cyl_bessel_i0(double x)
{
    double a = fabs(x);
    if (a != a)
        return a;
    return a < 8.0 ? __p_i0_a(0.25 * a * a) : __bessel_i_large(a, __p_i0_b(16.0 / a - 1.0));
}
__device__ inline double cyl_bessel_i1(double x)
{
    double a = fabs(x);
    if (a != a)
        return a;
    return a < 8.0 ? 0.5 * x * __p_i1_a(0.25 * a * a) : copysign(__bessel_i_large(a, __p_i1_b(16.0 / a - 1.0)), x);
}
#define SINGLE(F)                                                                                                               \
    __device__ inline float F##f(float x) { return (float)F((double)x); }                                                      \
    __device__ inline float F(float x) { return F##f(x); }
SINGLE(j0)
SINGLE(j1)
SINGLE(y0)
SINGLE(y1)
SINGLE(cyl_bessel_i0)
SINGLE(cyl_bessel_i1)
#undef SINGLE
__device__ inline float jnf(int n, float x) { return (float)jn(n, (double)x); }
__device__ inline float ynf(int n, float x) { return (float)yn(n, (double)x); }
__device__ inline float jn(int n, float x) { return jnf(n, x); }
__device__ inline float yn(int n, float x) { return ynf(n, x); }
