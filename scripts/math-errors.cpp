// Errors of the library's mathematics: see scripts/math-errors, which puts its texts into library.inc.
//
// First what the compiler provides, then references and samples, then the table of functions.
//
//     errors BOUNDS SAMPLES            a row of a table for each function
//     errors BOUNDS SAMPLES points     for each function a few points with the correctly rounded result, as bits
//     errors BOUNDS 0 FILE             the same at the points of FILE, which has that form: a call, then its points, one a line

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
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
#include "results.cuh"
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
    case 5: return (T)std::fma(uniform() - .5, std::exp2(-50 * uniform()), 1.0);
    default: return (T)std::fma(high - low, uniform(), low);
    }
}

static size_t SAMPLES = 1000000;
static bool failed = false, points = false;

// What the manual says of a function; see library/math/bounds.txt.
struct Bound {
    double ulps = 0, absolute = 0, low = 0, high = 0;
    char kind = 0;  // first letter of `below`, `outside`, `absolute`
    // Whether the absolute error counts at x; nothing is said where neither() holds.
    bool is_absolute(double x) const { return kind == 'a' || (kind == 'b' && !(std::fabs(x) < low)); }
    bool neither(double x) const { return kind == 'o' && x > low && x < high; }
};
static std::map<std::string, Bound> BOUNDS;
static void read_bounds(const char *path)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name, kind;
        Bound bound;
        if (!(words >> name >> bound.ulps) || name == "#")
            continue;
        words >> kind;
        bound.kind = kind.empty() ? 0 : kind[0];
        if (bound.kind == 'a')
            bound.absolute = bound.ulps;
        if (bound.kind == 'b')
            words >> bound.low >> bound.absolute;
        if (bound.kind == 'o')
            words >> bound.low >> bound.high;
        BOUNDS[name] = bound;
    }
}
static std::string shown(double x)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", x);
    return text;
}
template <typename T> static std::string bits(T x)
{
    uint64_t number = 0;
    memcpy(&number, &x, sizeof x);
    char text[32];
    snprintf(text, sizeof text, sizeof x == 4 ? "%08llx" : "%016llx", (unsigned long long)number);
    return x != x ? "nan" : text;
}

// One function: what it is called in the table of bounds, how it is called, and what was found.
template <typename T> struct Row {
    std::string expression, name;
    Bound bound;
    double worst = 0, worst_absolute = 0;
    std::string at, at_absolute;
    bool absolute_seen = false, ulps_seen = false;
    std::set<std::string> lines;

    explicit Row(const char *expression) : expression(expression), name(this->expression.substr(0, this->expression.find('(')))
    {
        // One of several results: `sine_sincos`.
        if (!BOUNDS.count(name))
            name = name.substr(name.find('_') + 1);
        if (!BOUNDS.count(name)) {
            fprintf(stderr, "%s has no bound\n", name.c_str());
            failed = true;
        }
        bound = BOUNDS[name];
        if (points)
            printf("%s\n", expression);
    }
    template <typename... X> void look(T got, Q want, X... x)
    {
        double first = std::get<0>(std::make_tuple((double)x...));
        if (bound.neither(first))
            return;
        if (points) {
            std::string line = "   ";
            ((line += " " + bits(x)), ...);
            if (lines.insert(line).second)
                printf("%s %s\n", line.c_str(), bits((T)want).c_str());
            return;
        }
        std::string where;
        ((where += (where.empty() ? "" : ", ") + shown(x)), ...);
        bool finite = finiteq(want) && std::isfinite(got);
        if (bound.is_absolute(first) && finite) {
            double error = (double)fabsq(got - want);
            absolute_seen = true;
            if (!(error <= worst_absolute)) {
                worst_absolute = error;
                at_absolute = where;
            }
            return;
        }
        double error = ulps(got, want);
        ulps_seen |= bound.kind != 'a';
        if (!(error <= worst)) {
            worst = error;
            at = where;
        }
    }
    ~Row()
    {
        if (points)
            return;
        // Of an exact function the correctly rounded result is the bound.
        double most = bound.ulps == 0 ? 0.5 : bound.ulps;
        bool over = bound.kind == 'a' ? worst != 0 : !(worst <= most), over_absolute = !(worst_absolute <= bound.absolute);
        failed |= over || (absolute_seen && over_absolute);
        if (ulps_seen || over)
            printf("| `%s` | %.3f | %g |%s %s |\n", expression.c_str(), worst, bound.ulps, over ? " **over**" : "", at.c_str());
        if (absolute_seen)
            printf("| `%s` | %.2g absolute | %g |%s %s |\n", expression.c_str(), worst_absolute, bound.absolute,
                over_absolute ? " **over**" : "", at_absolute.c_str());
        fflush(stdout);
    }
};
struct Range {
    double low, high;
};
typedef std::vector<Range> Ranges;
// For points: what is special everywhere; the samples after these begin with the ends of the range.
static const double FEW[] = {0.0, -0.0, 1, -1, 0.5, 2.5, INFINITY, -INFINITY, NAN, 0x1p-1074, 0x1p-149, -0x1p-126, 0x1.fffffep127,
    -0x1.fffffffffffffp1023};
static const size_t FEWS = sizeof FEW / sizeof *FEW, SOME = 16;
template <typename T> static T some(Range range, size_t i)
{
    return i == 0 ? (T)range.low : i == 1 ? (T)range.high : sample<T>(range.low, range.high, SPECIALS + 6 + i % 4 + 10 * i);
}
// `only`: where the reference can be had.
template <typename T, typename F, typename R>
static void one(const char *expression, F f, Ranges ranges, R reference, std::function<bool(double)> only = nullptr)
{
    Row<T> row(expression);
    auto look = [&](T x) {
        if (!only || only(x))
            row.look(f(x), reference((Q)x), x);
    };
    if (points)
        for (double x : FEW)
            look((T)x);
    for (Range range : ranges)
        for (size_t i = 0; i < (points ? SOME : SAMPLES); i++)
            look(points ? some<T>(range, i) : sample<T>(range.low, range.high, i));
}
template <typename T, typename F, typename R>
static void two(const char *expression, F f, std::vector<std::pair<Range, Range>> ranges, R reference)
{
    Row<T> row(expression);
    auto look = [&](T x, T y) { row.look(f(x, y), reference((Q)x, (Q)y), x, y); };
    if (points)
        for (double x : {0.0, -1.0, 2.5, (double)INFINITY, (double)NAN})
            for (double y : {-0.0, 1.0, -3.0, (double)-INFINITY, (double)NAN})
                look((T)x, (T)y);
    else
        for (size_t i = 0; i < SPECIALS * SPECIALS; i++)
            look((T)SPECIAL[i / SPECIALS], (T)SPECIAL[i % SPECIALS]);
    for (auto range : ranges)
        for (size_t i = 0; i < (points ? SOME : SAMPLES); i++) {
            if (points)
                look(some<T>(range.first, i), some<T>(range.second, 2 + i));
            else
                look(sample<T>(range.first.low, range.first.high, i), sample<T>(range.second.low, range.second.high, next()));
        }
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
template <int N> static Q y_reference(Q x) { return x == 0 ? -1 / fabsq(x) : x < 0 ? NAN : ynq(N, x); }
static Q inverse(Q x) { return isinfq(x) ? copysignq(0, x) : 1 / x; }

// In the library's namespace, so that an expression is what a kernel writes.
namespace own {
#define E1(expression) #expression, [](auto x) { return expression; }
#define E2(expression) #expression, [](auto x, auto y) { return expression; }
#define R1(expression) [](Q x) -> Q { return expression; }
#define R2(expression) [](Q x, Q y) -> Q { return expression; }
#define LIST(...) {__VA_ARGS__}
// A function of both precisions, with the ranges of both.
#define BOTH(name, franges, ranges, ...)                                                                                        \
    one<float>(E1(name##f(x)), Ranges franges, __VA_ARGS__);                                                                    \
    one<double>(E1(name(x)), Ranges ranges, __VA_ARGS__);

static void elementary()
{
    BOTH(exp, LIST({-110, 95}), LIST({-746, 710}, {-1, 1}), R1(expq(x)))
    BOTH(exp2, LIST({-155, 130}), LIST({-1075, 1024}, {-1, 1}), R1(exp2q(x)))
    BOTH(exp10, LIST({-47, 40}), LIST({-324, 309}, {-1, 1}), R1(powq(10, x)))
    BOTH(expm1, LIST({-20, 90}, {-1, 1}), LIST({-5, 45}, {-40, 710}, {-1, 1}), R1(expm1q(x)))
    BOTH(sinh, LIST({-90, 90}, {-2, 2}), LIST({-710, 710}, {-2, 2}), R1(sinhq(x)))
    BOTH(cosh, LIST({-90, 90}, {-2, 2}), LIST({-710, 710}, {-2, 2}), R1(coshq(x)))
    BOTH(tanh, LIST({-10, 10}, {-1, 1}), LIST({-20, 20}, {-1, 1}), R1(tanhq(x)))
    BOTH(log, LIST({0, 3}, {0, 1e10}), LIST({0, 3}, {0, 1e10}), R1(logq(x)))
    BOTH(log2, LIST({0, 3}, {0, 1e10}), LIST({0, 3}, {0, 1e10}), R1(log2q(x)))
    BOTH(log10, LIST({0, 3}, {0, 1e10}), LIST({0, 3}, {0, 1e10}), R1(log10q(x)))
    BOTH(log1p, LIST({-1, 3}, {-1, 1e6}), LIST({-1, 3}, {-1, 1e6}), R1(log1pq(x)))
    BOTH(asinh, LIST({-10, 10}, {-1, 1}), LIST({-10, 10}, {-1, 1}), R1(asinhq(x)))
    BOTH(acosh, LIST({1, 10}, {1, 1.1}), LIST({1, 10}, {1, 1.1}), R1(acoshq(x)))
    BOTH(atanh, LIST({-1, 1}), LIST({-1, 1}), R1(atanhq(x)))
    BOTH(sin, LIST({-20, 20}, {-2e5, 2e5}), LIST({-20, 20}, {-2e9, 2e9}), R1(sinq(x)))
    BOTH(cos, LIST({-20, 20}, {-2e5, 2e5}), LIST({-20, 20}, {-2e9, 2e9}), R1(cosq(x)))
    BOTH(tan, LIST({-20, 20}, {-2e5, 2e5}), LIST({-20, 20}, {-2e9, 2e9}), R1(tanq(x)))
    BOTH(sinpi, LIST({-3, 3}), LIST({-3, 3}), sinpi_reference)
    BOTH(cospi, LIST({-3, 3}), LIST({-3, 3}), cospi_reference)
    BOTH(asin, LIST({-1, 1}), LIST({-1, 1}), R1(asinq(x)))
    BOTH(acos, LIST({-1, 1}), LIST({-1, 1}), R1(acosq(x)))
    BOTH(atan, LIST({-3, 3}), LIST({-3, 3}), R1(atanq(x)))
    two<float>(E2(atan2f(x, y)), {{{-3, 3}, {-3, 3}}}, R2(atan2q(x, y)));
    two<double>(E2(atan2(x, y)), {{{-3, 3}, {-3, 3}}}, R2(atan2q(x, y)));
    two<float>(E2(powf(x, y)), {{{0, 10}, {-20, 20}}, {{.9, 1.1}, {-800, 800}}}, R2(powq(x, y)));
    two<double>(E2(pow(x, y)), {{{0, 10}, {-300, 300}}, {{.9, 1.1}, {-6000, 6000}}}, R2(powq(x, y)));
}
static void roots()
{
    one<double>(E1(sqrt(x)), {{0, 10}}, R1(sqrtq(x)));
    one<float>(E1(sqrtf(x)), {{0, 10}}, R1(sqrtq(x)));
    one<double>(E1(rsqrt(x)), {{0, 10}}, R1(inverse(sqrtq(x))));
    one<float>(E1(__frsqrt_rn(x)), {{0, 10}}, R1(inverse(sqrtq(x))));
    BOTH(cbrt, LIST({-10, 10}), LIST({-10, 10}), R1(cbrtq(x)))
    BOTH(rcbrt, LIST({-10, 10}), LIST({-10, 10}), R1(inverse(cbrtq(x))))
    two<float>(E2(hypotf(x, y)), {{{-10, 10}, {-10, 10}}}, R2(hypotq(x, y)));
    two<double>(E2(hypot(x, y)), {{{-10, 10}, {-10, 10}}}, R2(hypotq(x, y)));
    two<float>(E2(rhypotf(x, y)), {{{-10, 10}, {-10, 10}}}, R2(inverse(hypotq(x, y))));
    two<double>(E2(rhypot(x, y)), {{{-10, 10}, {-10, 10}}}, R2(inverse(hypotq(x, y))));
#define THREE(T, x, y) hypotq(hypotq(x, y), (Q)((T)0.5 * (T)x))
#define FOUR(T, x, y) hypotq(THREE(T, x, y), (Q)((T)0.75 * (T)y))
    two<float>(E2(norm3df(x, y, 0.5f * x)), {{{-10, 10}, {-10, 10}}}, R2(THREE(float, x, y)));
    two<float>(E2(rnorm3df(x, y, 0.5f * x)), {{{-10, 10}, {-10, 10}}}, R2(inverse(THREE(float, x, y))));
    two<float>(E2(norm4df(x, y, 0.5f * x, 0.75f * y)), {{{-10, 10}, {-10, 10}}}, R2(FOUR(float, x, y)));
    two<float>(E2(rnorm4df(x, y, 0.5f * x, 0.75f * y)), {{{-10, 10}, {-10, 10}}}, R2(inverse(FOUR(float, x, y))));
    two<double>(E2(norm3d(x, y, 0.5 * x)), {{{-10, 10}, {-10, 10}}}, R2(THREE(double, x, y)));
    two<double>(E2(rnorm3d(x, y, 0.5 * x)), {{{-10, 10}, {-10, 10}}}, R2(inverse(THREE(double, x, y))));
    two<double>(E2(norm4d(x, y, 0.5 * x, 0.75 * y)), {{{-10, 10}, {-10, 10}}}, R2(FOUR(double, x, y)));
    two<double>(E2(rnorm4d(x, y, 0.5 * x, 0.75 * y)), {{{-10, 10}, {-10, 10}}}, R2(inverse(FOUR(double, x, y))));
}
static bool whole(double x) { return std::fabs(x) < 9e18; }
static void exact()
{
    two<float>(E2(fmaf(x, y, x)), {{{-10, 10}, {-10, 10}}}, R2(__builtin_fmaf((float)x, (float)y, (float)x)));
    two<double>(E2(fma(x, y, x)), {{{-10, 10}, {-10, 10}}}, R2(__builtin_fma((double)x, (double)y, (double)x)));
#define EXACT(name)                                                                                                             \
    two<float>(E2(name##f(x, y)), {{{-100, 100}, {-10, 10}}}, R2(::name##f((float)x, (float)y)));                               \
    two<double>(E2(name(x, y)), {{{-100, 100}, {-10, 10}}}, R2(::name((double)x, (double)y)));
    EXACT(fmod)
    EXACT(remainder)
    EXACT(fdim)
    two<float>(E2(rest_remquof(x, y)), {{{-100, 100}, {-10, 10}}}, R2(::remainderf((float)x, (float)y)));
    two<double>(E2(rest_remquo(x, y)), {{{-100, 100}, {-10, 10}}}, R2(::remainder((double)x, (double)y)));
    BOTH(trunc, LIST({-100, 100}), LIST({-100, 100}), R1(truncq(x)))
    BOTH(ceil, LIST({-100, 100}), LIST({-100, 100}), R1(ceilq(x)))
    BOTH(floor, LIST({-100, 100}), LIST({-100, 100}), R1(floorq(x)))
    BOTH(rint, LIST({-100, 100}), LIST({-100, 100}), R1(rintq(x)))
    BOTH(nearbyint, LIST({-100, 100}), LIST({-100, 100}), R1(rintq(x)))
    BOTH(round, LIST({-100, 100}), LIST({-100, 100}), R1(roundq(x)))
    BOTH(lrint, LIST({-100, 100}), LIST({-100, 100}), R1(rintq(x) + 0), whole)
    BOTH(llrint, LIST({-100, 100}), LIST({-100, 100}), R1(rintq(x) + 0), whole)
    BOTH(lround, LIST({-100, 100}), LIST({-100, 100}), R1(roundq(x) + 0), whole)
    BOTH(llround, LIST({-100, 100}), LIST({-100, 100}), R1(roundq(x) + 0), whole)
    BOTH(logb, LIST({-100, 100}), LIST({-100, 100}), R1(logbq(x)))
    BOTH(ilogb, LIST({-100, 100}), LIST({-100, 100}), R1(x == 0 || isnanq(x) ? -2147483648.0Q : isinfq(x) ? 2147483647.0Q : logbq(x)))
#define TIMES(name)                                                                                                             \
    two<float>(E2(name##f(x, clamped(y))), {{{-100, 100}, {-300, 300}}}, R2(::ldexpf((float)x, clamped((double)y))));           \
    two<double>(E2(name(x, clamped(y))), {{{-100, 100}, {-2200, 2200}}}, R2(::ldexp((double)x, clamped((double)y))));
    TIMES(ldexp)
    TIMES(scalbn)
    TIMES(scalbln)
    BOTH(fraction_frexp, LIST({-100, 100}), LIST({-100, 100}),
        R1(x == 0 || !finiteq(x) ? x : copysignq(scalbnq(fabsq(x), -1 - ilogbq(x)), x)))
    BOTH(exponent_frexp, LIST({-100, 100}), LIST({-100, 100}), R1(x == 0 || !finiteq(x) ? 0 : 1 + ilogbq(x)))
    BOTH(rest_modf, LIST({-100, 100}), LIST({-100, 100}), R1(isnanq(x) ? x : copysignq(isinfq(x) ? 0 : x - truncq(x), x)))
    BOTH(whole_modf, LIST({-100, 100}), LIST({-100, 100}), R1(truncq(x)))
}
static void special()
{
    BOTH(sine_sincos, LIST({-20, 20}, {-2e5, 2e5}), LIST({-20, 20}, {-2e9, 2e9}), R1(sinq(x)))
    BOTH(cosine_sincos, LIST({-20, 20}, {-2e5, 2e5}), LIST({-20, 20}, {-2e9, 2e9}), R1(cosq(x)))
    BOTH(sine_sincospi, LIST({-3, 3}), LIST({-3, 3}), sinpi_reference)
    BOTH(cosine_sincospi, LIST({-3, 3}), LIST({-3, 3}), cospi_reference)
    BOTH(erf, LIST({-5, 5}), LIST({-7, 7}, {-1, 1}), R1(erfq(x)))
    BOTH(erfc, LIST({-5, 11}), LIST({-7, 28}, {-1, 2}), R1(erfcq(x)))
    BOTH(erfcx, LIST({-10, 30}), LIST({-10, 30}, {-26.6, -20}), erfcx_reference)
    BOTH(erfinv, LIST({-1, 1}), LIST({-1, 1}, {.999999, 1}), erfinv_reference)
    BOTH(erfcinv, LIST({0, 2}), LIST({0, 2}, {0, 1e-5}), erfcinv_reference)
    BOTH(normcdf, LIST({-14, 7}), LIST({-38, 9}, {-2, 2}), normcdf_reference)
    BOTH(normcdfinv, LIST({0, 1}), LIST({0, 1}, {0, 1e-4}), normcdfinv_reference)
    BOTH(tgamma, LIST({-10, 36}), LIST({-170, 172}, {-4, 12}, {-184, -170}), tgamma_reference)
    auto gamma = [](double x) { return !(x < 0 && std::trunc(x) == x) && !(x < -1e15); };
    BOTH(lgamma, LIST({-30, 30}, {0, 3}), LIST({-100, 30}, {0, 3}, {-2.2637, 0}), R1(lgammaq(x)), gamma)
    // Beyond, the reference is not good enough.
    auto moderate = [](double x) { return !(std::fabs(x) >= 1e6 && std::fabs(x) < INFINITY); };
    auto positive = [=](double x) { return !(x < 0) && moderate(x); };
    BOTH(j0, LIST({-8, 8}, {-100, 100}, {-1e5, 1e5}), LIST({-8, 8}, {-100, 100}, {-1e5, 1e5}), j0q, moderate)
    BOTH(j1, LIST({-8, 8}, {-100, 100}, {-1e5, 1e5}), LIST({-8, 8}, {-100, 100}, {-1e5, 1e5}), R1(isinfq(x) ? copysignq(0, x) : j1q(x)), moderate)
    BOTH(y0, LIST({0, 8}, {0, 100}, {0, 1e5}), LIST({0, 8}, {0, 100}, {0, 1e5}), y_reference<0>, moderate)
    BOTH(y1, LIST({0, 8}, {0, 100}, {0, 1e5}), LIST({0, 8}, {0, 100}, {0, 1e5}), y_reference<1>, moderate)
#define ORDERS(name, n, ranges, ...)                                                                                            \
    one<float>(E1(name##f(n, x)), Ranges ranges, __VA_ARGS__);                                                                  \
    one<double>(E1(name(n, x)), Ranges ranges, __VA_ARGS__);
    ORDERS(jn, 3, LIST({-8, 8}, {-100, 100}), R1(jnq(3, x)), moderate)
    ORDERS(jn, 128, LIST({-300, 300}), R1(jnq(128, x)), moderate)
    ORDERS(yn, 2, LIST({0, 8}, {0, 100}), y_reference<2>, moderate)
    ORDERS(yn, 128, LIST({192, 400}), R1(ynq(128, x)), [](double x) { return x > 192 && x < 1e4; })
    auto finite = [](double x) { return !(std::fabs(x) >= 713 && std::fabs(x) < INFINITY); };
    BOTH(cyl_bessel_i0, LIST({-20, 20}, {-88, 88}), LIST({-20, 20}, {-700, 700}), R1(i_reference(0, x)), finite)
    BOTH(cyl_bessel_i1, LIST({-20, 20}, {-88, 88}), LIST({-20, 20}, {-700, 700}), R1(i_reference(1, x)), finite)
}
}  // namespace own

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    read_bounds(arguments[1]);
    SAMPLES = (size_t)atoll(arguments[2]);
    points = count > 3;
    own::elementary();
    own::roots();
    own::exact();
    own::special();
    return failed;
}
