// Errors of the library's mathematics: see scripts/math-errors, which puts its texts into library.inc.
//
// First what the compiler provides, then references and samples, then the table of functions with their bounds.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>
extern "C" {
#include <quadmath.h>
}

#define __device__
#define __noinline__ __attribute__((noinline))
#define __constant__
namespace own {
template<class A,class B> static inline A bc(B b){A a; memcpy(&a,&b,sizeof a); return a;}
static inline int __float_as_int(float f){return bc<int>(f);}
static inline float __int_as_float(int i){return bc<float>(i);}
static inline unsigned __float_as_uint(float f){return bc<unsigned>(f);}
static inline float __uint_as_float(unsigned i){return bc<float>(i);}
static inline long long __double_as_longlong(double f){return bc<long long>(f);}
static inline double __longlong_as_double(long long i){return bc<double>(i);}
static inline int __double2hiint(double d){return (int)(bc<long long>(d)>>32);}
static inline int __double2loint(double d){return (int)bc<long long>(d);}
static inline double __hiloint2double(int h,int l){return bc<double>((long long)((unsigned long long)(unsigned)h<<32|(unsigned)l));}
static inline unsigned long long __umul64hi(unsigned long long a,unsigned long long b){return (unsigned long long)((unsigned __int128)a*b>>64);}
static inline int __clzll(long long x){return x?__builtin_clzll(x):64;}
static inline int __clz(int x){return x?__builtin_clz(x):32;}
static inline float fmaf(float a,float b,float c){return __builtin_fmaf(a,b,c);}
static inline double fma(double a,double b,double c){return __builtin_fma(a,b,c);}
static inline float fma(float a,float b,float c){return __builtin_fmaf(a,b,c);}
static inline float rintf(float a){return __builtin_rintf(a);}
static inline double rint(double a){return __builtin_rint(a);}
static inline float fabsf(float a){return __builtin_fabsf(a);}
static inline double fabs(double a){return __builtin_fabs(a);}
static inline float sqrtf(float a){return __builtin_sqrtf(a);}
static inline double sqrt(double a){return __builtin_sqrt(a);}
static inline float fminf(float a,float b){return __builtin_fminf(a,b);}
static inline float fmaxf(float a,float b){return __builtin_fmaxf(a,b);}
static inline double fmin(double a,double b){return __builtin_fmin(a,b);}
static inline double fmax(double a,double b){return __builtin_fmax(a,b);}
static inline float copysignf(float a,float b){return __builtin_copysignf(a,b);}
static inline double copysign(double a,double b){return __builtin_copysign(a,b);}
static inline float floorf(float a){return __builtin_floorf(a);}
static inline double floor(double a){return __builtin_floor(a);}
static inline float ceilf(float a){return __builtin_ceilf(a);}
static inline double ceil(double a){return __builtin_ceil(a);}
static inline float truncf(float a){return __builtin_truncf(a);}
static inline double trunc(double a){return __builtin_trunc(a);}
static inline float __fmul_rn(float a,float b){return a*b;}
static inline float __fadd_rn(float a,float b){return a+b;}
static inline float __fsub_rn(float a,float b){return a-b;}
static inline double __dmul_rn(double a,double b){return a*b;}
static inline double __dadd_rn(double a,double b){return a+b;}
static inline double __dsub_rn(double a,double b){return a-b;}
static inline long long __double2ll_rn(double a){return a!=a?0:(a>=9.3e18?INT64_MAX:a<=-9.3e18?INT64_MIN:(long long)__builtin_rint(a));}
static inline int min(int a,int b){return a<b?a:b;}
static inline int max(int a,int b){return a>b?a:b;}
// The hardware's has about 20 bits.
static inline double __builtin_rsqrt_approx_ftz(double x)
{
    double r = 1 / __builtin_sqrt(x);
    return std::fabs(x) < 0x1p-1022 ? copysign(INFINITY, x) : bc<double>(bc<long long>(r) & ~0xffffffffLL);
}
static inline float rsqrtf(float x){return 1/__builtin_sqrtf(x);}
static inline long long __float2ll_rz(float a){return (long long)a;}
static inline long long __float2ll_rn(float a){return (long long)__builtin_rintf(a);}
static inline long long __double2ll_rz(double a){return (long long)a;}
#include "library.inc"
static inline float frexp_fractionf(float x)
{
    int exponent;
    return frexpf(x, &exponent);
}
static inline double frexp_fraction(double x)
{
    int exponent;
    return frexp(x, &exponent);
}
}  // namespace own

typedef __float128 Q;

template <typename T> struct Format;
template <> struct Format<float> {
    static const int bits = 24, least = -125, most = 128;
};
template <> struct Format<double> {
    static const int bits = 53, least = -1021, most = 1024;
};

// Error in units of the last place of the reference; infinity where a special result, or the sign of a zero, is another.
template <typename T> static double ulps(T got, Q want)
{
    if (isnanq(want) || got != got)
        return isnanq(want) && got != got ? 0 : INFINITY;
    T rounded = (T)want;
    if (std::isinf(rounded) && std::isinf(got))
        return (rounded > 0) == (got > 0) ? 0 : INFINITY;
    if (isinfq(want))
        return INFINITY;
    if (want == 0 && got == 0)
        return std::signbit(got) == (signbitq(want) != 0) ? 0 : INFINITY;
    int exponent;
    frexpq(fabsq(want), &exponent);
    exponent = std::min(std::max(exponent, Format<T>::least), Format<T>::most);
    Q value = std::isinf(got) ? copysignq(ldexpq(1, Format<T>::most), got) : (Q)got;
    return (double)(fabsq(value - want) / ldexpq(1, exponent - Format<T>::bits));
}

static uint64_t state = 88172645463325252ull;
static uint64_t next()
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull;
}
static double uniform() { return (next() >> 11) * 0x1p-53; }

static const double SPECIAL[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1074, 0x1p-1022,
    0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 0x1.fffffep127, -0x1.fffffep127, 0x1p-126, 0x1p-149, -0x1p-149, 1e-10, -1e-10,
    1.5, -1.5, 3, -3, 4, 10, -10, 100, -100, 1e5, -1e5, 1e10, 0x1.fffffep-1, 0x1.000002p0, 0x1.fffffffffffffp-1,
    0x1.0000000000001p0, 88.72283, -87.33655, -103.97208, 709.782712893384, -745.1332191019411, 8388608, 16777216.5,
    4503599627370497.5};
static const size_t SPECIALS = sizeof SPECIAL / sizeof *SPECIAL;

template <typename T> static T sample(double low, double high, size_t i)
{
    if (i < SPECIALS)
        return (T)SPECIAL[i];
    switch (i % 10) {
    case 0: case 1: { // all magnitudes
        double x = std::max(std::fabs(low), std::fabs(high)) * std::exp2(-40 * uniform() * uniform());
        return (T)(low < 0 && next() & 1 ? -x : x);
    }
    case 2: case 3: { // random bits
        uint64_t bits = next() >> (sizeof(T) == 4 ? 32 : 0);
        T x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    case 4: { // near multiples of pi/2
        T x = (T)((double)(next() % (i % 3 == 0 ? 2000000000ull : i % 3 == 1 ? 100000ull : 40ull)) * M_PI_2);
        for (int steps = (int)(next() % 5) - 2; steps != 0; steps += steps > 0 ? -1 : 1)
            x = std::nextafter(x, (T)(steps > 0 ? INFINITY : -INFINITY));
        return next() & 1 ? x : -x;
    }
    case 5: return (T)(1 + (uniform() - .5) * std::exp2(-50 * uniform()));
    default: return (T)(low + (high - low) * uniform());
    }
}

static size_t SAMPLES = 1000000;
static bool failed = false;
static void row(const char *name, double worst, double bound, const std::string &at, bool absolute)
{
    bool over = !(worst <= bound);
    failed |= over;
    printf(absolute ? "| `%s` | %.2g absolute | %g |%s %s |\n" : "| `%s` | %.3f | %g |%s %s |\n", name, worst, bound, over ? " **over**" : "",
        at.c_str());
    fflush(stdout);
}
static std::string shown(double x)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", x);
    return text;
}
struct Range {
    double low, high;
};
typedef std::vector<Range> Ranges;
// `only`: where the bound holds.
template <typename T, typename F, typename R>
static void one(const char *name, double bound, Ranges ranges, F f, R reference, std::function<bool(T)> only = nullptr, bool absolute = false)
{
    double worst = 0;
    T at = 0;
    for (Range range : ranges)
        for (size_t i = 0; i < SAMPLES; i++) {
            T x = sample<T>(range.low, range.high, i);
            if (only && !only(x))
                continue;
            T got = f(x);
            Q want = reference((Q)x);
            double error = absolute ? (double)fabsq(got - want) : ulps(got, want);
            if (error > worst) {
                worst = error;
                at = x;
            }
        }
    row(name, worst, bound, shown(at), absolute);
}
template <typename T, typename F, typename R>
static void two(const char *name, double bound, std::vector<std::pair<Range, Range>> ranges, F f, R reference)
{
    double worst = 0;
    T atx = 0, aty = 0;
    auto look = [&](T x, T y) {
        double error = ulps(f(x, y), reference((Q)x, (Q)y));
        if (error > worst) {
            worst = error;
            atx = x;
            aty = y;
        }
    };
    for (size_t i = 0; i < SPECIALS * SPECIALS; i++)
        look((T)SPECIAL[i / SPECIALS], (T)SPECIAL[i % SPECIALS]);
    for (auto range : ranges)
        for (size_t i = 0; i < SAMPLES; i++)
            look(sample<T>(range.first.low, range.first.high, i), sample<T>(range.second.low, range.second.high, next()));
    row(name, worst, bound, shown(atx) + ", " + shown(aty), false);
}

// References that libquadmath lacks.
static Q sinpi_reference(Q x)
{
    if (!finiteq(x))
        return x - x;
    Q r = fmodq(x, 2), n = roundq(2 * r), f = (r - n / 2) * M_PIq;
    int q = (int)n & 3;
    Q y = q == 0 ? sinq(f) : q == 1 ? cosq(f) : q == 2 ? -sinq(f) : -cosq(f);
    return y == 0 ? copysignq(0, x) : y;
}
static Q cospi_reference(Q x)
{
    if (!finiteq(x))
        return x - x;
    Q r = fmodq(fabsq(x), 2), n = roundq(2 * r), f = (r - n / 2) * M_PIq;
    int q = (int)n & 3;
    Q y = q == 0 ? cosq(f) : q == 1 ? -sinq(f) : q == 2 ? -cosq(f) : sinq(f);
    return y == 0 ? 0 : y;
}
static Q erfcx_reference(Q x)
{
    if (isinfq(x))
        return x > 0 ? 0 : -x;
    if (x < 100)
        return expq(x * x) * erfcq(x);
    Q term = 1, sum = 0;
    for (int k = 1; k < 25; k++) {
        sum += term;
        term *= -(2 * k - 1) / (2 * x * x);
    }
    return sum / (x * sqrtq(M_PIq));
}
// The inverse ones: Newton's steps from the function's own result.
static Q erfinv_reference(Q y)
{
    if (!(fabsq(y) < 1) || y == 0)
        return fabsq(y) == 1 ? y / 0 : y == 0 ? y : NAN;
    Q x = own::erfinv((double)y);
    for (int i = 0; i < 3; i++) {
        Q error = fabsq(y) < .5Q ? erfq(x) - y : y > 0 ? (1 - y) - erfcq(x) : erfcq(-x) - (1 + y);
        x -= error * sqrtq(M_PIq) / 2 * expq(x * x);
    }
    return x;
}
static Q erfcinv_reference(Q y)
{
    if (!(y > 0 && y < 2) || y == 1)
        return y == 1 ? 0 : y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
    Q x = own::erfcinv((double)y);
    for (int i = 0; i < 3; i++) {
        Q error = fabsq(y - 1) < .4Q ? (1 - y) - erfq(x) : x > 0 ? erfcq(x) - y : (2 - y) - erfcq(-x);
        x += error * sqrtq(M_PIq) / 2 * expq(x * x);
    }
    return x;
}
static Q normcdf_reference(Q x) { return .5Q * erfcq(-x / sqrtq(2)); }
static Q normcdfinv_reference(Q p)
{
    if (!(p > 0 && p < 1) || p == .5Q)
        return p == .5Q ? 0 : p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
    Q x = own::normcdfinv((double)p);
    for (int i = 0; i < 3; i++) {
        Q error = fabsq(p - .5Q) < .2Q ? .5Q * erfq(x / sqrtq(2)) - (p - .5Q)
            : x < 0 ? normcdf_reference(x) - p : (1 - p) - normcdf_reference(-x);
        x -= error * sqrtq(2 * M_PIq) * expq(x * x / 2);
    }
    return x;
}
static Q tgamma_reference(Q x) { return x == 0 ? 1 / x : x < 0 && truncq(x) == x ? NAN : tgammaq(x); }
static Q i_reference(int n, Q x)
{
    Q term = n ? x / 2 : 1, sum = 0;
    if (!finiteq(x) || x == 0)
        return n ? x : x == 0 ? 1 : fabsq(x);
    for (int k = 1; k < 3000 && fabsq(term) > fabsq(sum) * 1e-36Q; k++) {
        sum += term;
        term *= x * x / 4 / ((Q)k * (k + n));
    }
    return sum;
}
static Q inverse(Q x) { return isinfq(x) ? copysignq(0, x) : 1 / x; }

#define F1(f) [](auto x) { return own::f(x); }
#define F2(f) [](auto x, auto y) { return own::f(x, y); }
#define R1(expression) [](Q x) -> Q { return expression; }
#define R2(expression) [](Q x, Q y) -> Q { return expression; }
// A function of both precisions: bounds of the single and of the double one, ranges of both.
#define BOTH(name, fbound, franges, bound, ranges, reference)                                                                   \
    one<float>(#name "f", fbound, Ranges franges, F1(name##f), reference);                                                      \
    one<double>(#name, bound, Ranges ranges, F1(name), reference);
#define LIST(...) {__VA_ARGS__}

static void elementary()
{
    BOTH(exp, 2, LIST({-110, 95}), 1, LIST({-746, 710}, {-1, 1}), R1(expq(x)))
    BOTH(exp2, 2, LIST({-155, 130}), 1, LIST({-1075, 1024}, {-1, 1}), R1(exp2q(x)))
    BOTH(exp10, 2, LIST({-47, 40}), 1, LIST({-324, 309}, {-1, 1}), R1(powq(10, x)))
    BOTH(expm1, 1, LIST({-20, 90}, {-1, 1}), 1, LIST({-5, 45}, {-40, 710}, {-1, 1}), R1(expm1q(x)))
    BOTH(sinh, 3, LIST({-90, 90}, {-2, 2}), 2, LIST({-710, 710}, {-2, 2}), R1(sinhq(x)))
    BOTH(cosh, 2, LIST({-90, 90}, {-2, 2}), 1, LIST({-710, 710}, {-2, 2}), R1(coshq(x)))
    BOTH(tanh, 2, LIST({-10, 10}, {-1, 1}), 1, LIST({-20, 20}, {-1, 1}), R1(tanhq(x)))
    BOTH(log, 1, LIST({0, 3}, {0, 1e10}), 1, LIST({0, 3}, {0, 1e10}), R1(logq(x)))
    BOTH(log2, 1, LIST({0, 3}, {0, 1e10}), 1, LIST({0, 3}, {0, 1e10}), R1(log2q(x)))
    BOTH(log10, 2, LIST({0, 3}, {0, 1e10}), 1, LIST({0, 3}, {0, 1e10}), R1(log10q(x)))
    BOTH(log1p, 1, LIST({-1, 3}, {-1, 1e6}), 1, LIST({-1, 3}, {-1, 1e6}), R1(log1pq(x)))
    BOTH(asinh, 3, LIST({-10, 10}, {-1, 1}), 3, LIST({-10, 10}, {-1, 1}), R1(asinhq(x)))
    BOTH(acosh, 4, LIST({1, 10}, {1, 1.1}), 3, LIST({1, 10}, {1, 1.1}), R1(acoshq(x)))
    BOTH(atanh, 3, LIST({-1, 1}), 2, LIST({-1, 1}), R1(atanhq(x)))
    BOTH(sin, 2, LIST({-20, 20}, {-2e5, 2e5}), 2, LIST({-20, 20}, {-2e9, 2e9}), R1(sinq(x)))
    BOTH(cos, 2, LIST({-20, 20}, {-2e5, 2e5}), 2, LIST({-20, 20}, {-2e9, 2e9}), R1(cosq(x)))
    BOTH(tan, 4, LIST({-20, 20}, {-2e5, 2e5}), 2, LIST({-20, 20}, {-2e9, 2e9}), R1(tanq(x)))
    BOTH(sinpi, 1, LIST({-3, 3}), 2, LIST({-3, 3}), sinpi_reference)
    BOTH(cospi, 1, LIST({-3, 3}), 2, LIST({-3, 3}), cospi_reference)
    BOTH(asin, 2, LIST({-1, 1}), 2, LIST({-1, 1}), R1(asinq(x)))
    BOTH(acos, 2, LIST({-1, 1}), 2, LIST({-1, 1}), R1(acosq(x)))
    BOTH(atan, 2, LIST({-3, 3}), 2, LIST({-3, 3}), R1(atanq(x)))
    two<float>("atan2f", 3, {{{-3, 3}, {-3, 3}}}, F2(atan2f), R2(atan2q(x, y)));
    two<double>("atan2", 2, {{{-3, 3}, {-3, 3}}}, F2(atan2), R2(atan2q(x, y)));
    two<float>("powf", 4, {{{0, 10}, {-20, 20}}, {{.9, 1.1}, {-800, 800}}}, F2(powf), R2(powq(x, y)));
    two<double>("pow", 2, {{{0, 10}, {-300, 300}}, {{.9, 1.1}, {-6000, 6000}}}, F2(pow), R2(powq(x, y)));
}
static void roots()
{
    BOTH(cbrt, 1, LIST({-10, 10}), 1, LIST({-10, 10}), R1(cbrtq(x)))
    BOTH(rcbrt, 1, LIST({-10, 10}), 1, LIST({-10, 10}), R1(inverse(cbrtq(x))))
    one<float>("__frsqrt_rn", .5, {{0, 10}}, F1(__frsqrt_rn), R1(inverse(sqrtq(x))));
    one<double>("rsqrt", 1, {{0, 10}}, F1(rsqrt), R1(inverse(sqrtq(x))));
    two<float>("hypotf", 3, {{{-10, 10}, {-10, 10}}}, F2(hypotf), R2(hypotq(x, y)));
    two<double>("hypot", 2, {{{-10, 10}, {-10, 10}}}, F2(hypot), R2(hypotq(x, y)));
    two<float>("rhypotf", 2, {{{-10, 10}, {-10, 10}}}, F2(rhypotf), R2(inverse(hypotq(x, y))));
    two<double>("rhypot", 1, {{{-10, 10}, {-10, 10}}}, F2(rhypot), R2(inverse(hypotq(x, y))));
    // The other components: of one more, half of the first; of two more, also three quarters of the second.
#define THREE(x, y) hypotq(hypotq(x, y), (Q)(.5f * (T)x))
#define FOUR(x, y) hypotq(THREE(x, y), (Q)(.75f * (T)y))
    {
        typedef float T;
        two<T>("norm3df", 3, {{{-10, 10}, {-10, 10}}}, [](T x, T y) { return own::norm3df(x, y, .5f * x); }, R2(THREE(x, y)));
        two<T>("rnorm3df", 2, {{{-10, 10}, {-10, 10}}}, [](T x, T y) { return own::rnorm3df(x, y, .5f * x); }, R2(inverse(THREE(x, y))));
        two<T>("norm4df", 3, {{{-10, 10}, {-10, 10}}}, [](T x, T y) { return own::norm4df(x, y, .5f * x, .75f * y); }, R2(FOUR(x, y)));
        two<T>("rnorm4df", 2, {{{-10, 10}, {-10, 10}}}, [](T x, T y) { return own::rnorm4df(x, y, .5f * x, .75f * y); },
            R2(inverse(FOUR(x, y))));
    }
    {
        typedef double T;
        two<T>("norm3d", 2, {{{-10, 10}, {-10, 10}}}, [](T x, T y) { return own::norm3d(x, y, .5 * x); }, R2(THREE(x, y)));
        two<T>("rnorm3d", 1, {{{-10, 10}, {-10, 10}}}, [](T x, T y) { return own::rnorm3d(x, y, .5 * x); }, R2(inverse(THREE(x, y))));
        two<T>("norm4d", 2, {{{-10, 10}, {-10, 10}}}, [](T x, T y) { return own::norm4d(x, y, .5 * x, .75 * y); }, R2(FOUR(x, y)));
        two<T>("rnorm4d", 1, {{{-10, 10}, {-10, 10}}}, [](T x, T y) { return own::rnorm4d(x, y, .5 * x, .75 * y); },
            R2(inverse(FOUR(x, y))));
    }
}
static void exact()
{
    two<float>("fmodf", 0, {{{-100, 100}, {-10, 10}}}, F2(fmodf), R2(fmodf((float)x, (float)y)));
    two<double>("fmod", 0, {{{-100, 100}, {-10, 10}}}, F2(fmod), R2(fmod((double)x, (double)y)));
    two<float>("remainderf", 0, {{{-100, 100}, {-10, 10}}}, F2(remainderf), R2(remainderf((float)x, (float)y)));
    two<double>("remainder", 0, {{{-100, 100}, {-10, 10}}}, F2(remainder), R2(remainder((double)x, (double)y)));
    two<float>("nextafterf", 0, {{{-100, 100}, {-10, 10}}}, F2(nextafterf), R2(nextafterf((float)x, (float)y)));
    two<double>("nextafter", 0, {{{-100, 100}, {-10, 10}}}, F2(nextafter), R2(nextafter((double)x, (double)y)));
    two<float>("fdimf", 0, {{{-100, 100}, {-10, 10}}}, F2(fdimf), R2(fdimf((float)x, (float)y)));
    two<double>("fdim", 0, {{{-100, 100}, {-10, 10}}}, F2(fdim), R2(fdim((double)x, (double)y)));
    BOTH(round, 0, LIST({-100, 100}), 0, LIST({-100, 100}), R1(roundq(x)))
    BOTH(logb, 0, LIST({-100, 100}), 0, LIST({-100, 100}), R1(logbq(x)))
    auto power = [](double y) { return y != y ? 0 : (int)std::max(-5000.0, std::min(5000.0, y)); };
    two<float>("ldexpf", 0, {{{-100, 100}, {-300, 300}}}, [=](float x, float y) { return own::ldexpf(x, power(y)); },
        [=](Q x, Q y) { return (Q)ldexpf((float)x, power((double)y)); });
    two<double>("ldexp", 0, {{{-100, 100}, {-2200, 2200}}}, [=](double x, double y) { return own::ldexp(x, power(y)); },
        [=](Q x, Q y) { return (Q)ldexp((double)x, power((double)y)); });
    BOTH(frexp_fraction, 0, LIST({-100, 100}), 0, LIST({-100, 100}), R1(x == 0 || !finiteq(x) ? x : copysignq(scalbnq(fabsq(x), -1 - ilogbq(x)), x)))
}
static void special()
{
    BOTH(erf, 2, LIST({-5, 5}), 2, LIST({-7, 7}, {-1, 1}), R1(erfq(x)))
    BOTH(erfc, 4, LIST({-5, 11}), 5, LIST({-7, 28}, {-1, 2}), R1(erfcq(x)))
    BOTH(erfcx, 4, LIST({-10, 30}), 4, LIST({-10, 30}, {-26.6, -20}), erfcx_reference)
    BOTH(erfinv, 2, LIST({-1, 1}), 5, LIST({-1, 1}, {.999999, 1}), erfinv_reference)
    BOTH(erfcinv, 4, LIST({0, 2}), 6, LIST({0, 2}, {0, 1e-5}), erfcinv_reference)
    BOTH(normcdf, 5, LIST({-14, 7}), 5, LIST({-38, 9}, {-2, 2}), normcdf_reference)
    BOTH(normcdfinv, 5, LIST({0, 1}), 8, LIST({0, 1}, {0, 1e-4}), normcdfinv_reference)
    BOTH(tgamma, 5, LIST({-10, 36}), 10, LIST({-170, 172}, {-4, 12}, {-184, -170}), tgamma_reference)
    // Between these it is close to its zeros; the manual says "larger" there.
    one<float>("lgammaf", 6, {{-30, 30}, {0, 3}}, F1(lgammaf), R1(lgammaq(x)),
        [](float x) { return !(x > -10.001f && x < -2.264f) && !(x < 0 && std::trunc(x) == x); });
    one<double>("lgamma", 4, {{-100, 30}, {0, 3}, {-2.2637, 0}}, F1(lgamma), R1(lgammaq(x)),
        [](double x) { return !(x > -23.0001 && x < -2.2637) && !(x < 0 && std::trunc(x) == x) && !(x < -1e15); });
    auto low = [](double x) { return std::fabs(x) < 8; };
    auto high = [](double x) { return std::fabs(x) >= 8 && std::fabs(x) < 1e6; };
    auto positive = [](double x) { return x > 0 && x < 8; };
    auto large = [](double x) { return x >= 8 && x < 1e6; };
#define BESSEL(name, inside, outside)                                                                                           \
    one<float>(#name "f", 9, {{-8, 8}}, F1(name##f), name##q, inside);                                                          \
    one<float>(#name "f", 2.2e-6, {{-100, 100}, {-1e5, 1e5}}, F1(name##f), name##q, outside, true);                             \
    one<double>(#name, 7, {{-8, 8}}, F1(name), name##q, inside);                                                                \
    one<double>(#name, 5e-12, {{-100, 100}, {-1e5, 1e5}}, F1(name), name##q, outside, true);
    BESSEL(j0, low, high)
    BESSEL(j1, low, high)
    BESSEL(y0, positive, large)
    BESSEL(y1, positive, large)
    one<double>("jn(128)", 5e-12, {{0, 300}}, [](double x) { return own::jn(128, x); }, R1(jnq(128, x)), [](double x) { return x > 0 && x < 1e4; }, true);
    one<double>("yn(128)", 5e-12, {{192, 400}}, [](double x) { return own::yn(128, x); }, R1(ynq(128, x)), [](double x) { return x > 192 && x < 1e4; }, true);
    auto moderate = [](double x) { return std::fabs(x) < 713; };
    one<float>("cyl_bessel_i0f", 6, {{-20, 20}, {-88, 88}}, F1(cyl_bessel_i0f), R1(i_reference(0, x)), moderate);
    one<float>("cyl_bessel_i1f", 6, {{-20, 20}, {-88, 88}}, F1(cyl_bessel_i1f), R1(i_reference(1, x)), moderate);
    one<double>("cyl_bessel_i0", 6, {{-20, 20}, {-700, 700}}, F1(cyl_bessel_i0), R1(i_reference(0, x)), moderate);
    one<double>("cyl_bessel_i1", 6, {{-20, 20}, {-700, 700}}, F1(cyl_bessel_i1), R1(i_reference(1, x)), moderate);
}

int main(int count, char **arguments)
{
    if (count > 1)
        SAMPLES = (size_t)atoll(arguments[1]);
    elementary();
    roots();
    exact();
    special();
    return failed;
}
