// Mathematics: the functions of C in both precisions, and the overloads of C++, at global scope as nvcc has them.
#pragma once
#include <math_macros.inc>
#include <abs.inc>
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling 0
extern "C" {
double acos(double x);
float acosf(float x);
double asin(double x);
float asinf(float x);
double atan(double x);
float atanf(float x);
double cos(double x);
float cosf(float x);
double sin(double x);
float sinf(float x);
double tan(double x);
float tanf(float x);
double acosh(double x);
float acoshf(float x);
double asinh(double x);
float asinhf(float x);
double atanh(double x);
float atanhf(float x);
double cosh(double x);
float coshf(float x);
double sinh(double x);
float sinhf(float x);
double tanh(double x);
float tanhf(float x);
double exp(double x);
float expf(float x);
double exp2(double x);
float exp2f(float x);
double expm1(double x);
float expm1f(float x);
double log(double x);
float logf(float x);
double log2(double x);
float log2f(float x);
double log10(double x);
float log10f(float x);
double log1p(double x);
float log1pf(float x);
double logb(double x);
float logbf(float x);
double cbrt(double x);
float cbrtf(float x);
double sqrt(double x);
float sqrtf(float x);
double erf(double x);
float erff(float x);
double erfc(double x);
float erfcf(float x);
double lgamma(double x);
float lgammaf(float x);
double tgamma(double x);
float tgammaf(float x);
double ceil(double x);
float ceilf(float x);
double floor(double x);
float floorf(float x);
double trunc(double x);
float truncf(float x);
double round(double x);
float roundf(float x);
double rint(double x);
float rintf(float x);
double nearbyint(double x);
float nearbyintf(float x);
double exp10(double x);
float exp10f(float x);
double j0(double x);
float j0f(float x);
double j1(double x);
float j1f(float x);
double y0(double x);
float y0f(float x);
double y1(double x);
float y1f(float x);
double rsqrt(double x);
float rsqrtf(float x);
double rcbrt(double x);
float rcbrtf(float x);
double sinpi(double x);
float sinpif(float x);
double cospi(double x);
float cospif(float x);
double pow(double x, double y);
float powf(float x, float y);
double atan2(double x, double y);
float atan2f(float x, float y);
double hypot(double x, double y);
float hypotf(float x, float y);
double fmod(double x, double y);
float fmodf(float x, float y);
double remainder(double x, double y);
float remainderf(float x, float y);
double copysign(double x, double y);
float copysignf(float x, float y);
double nextafter(double x, double y);
float nextafterf(float x, float y);
double fdim(double x, double y);
float fdimf(float x, float y);
double fmax(double x, double y);
float fmaxf(float x, float y);
double fmin(double x, double y);
float fminf(float x, float y);
double fma(double x, double y, double z);
float fmaf(float x, float y, float z);
double ldexp(double x, int exponent);
float ldexpf(float x, int exponent);
double scalbn(double x, int exponent);
float scalbnf(float x, int exponent);
double scalbln(double x, long exponent);
float scalblnf(float x, long exponent);
double frexp(double x, int *exponent);
float frexpf(float x, int *exponent);
double modf(double x, double *whole);
float modff(float x, float *whole);
double remquo(double x, double y, int *quotient);
float remquof(float x, float y, int *quotient);
void sincos(double x, double *sine, double *cosine);
void sincosf(float x, float *sine, float *cosine);
double jn(int order, double x);
double yn(int order, double x);
double nan(const char *payload);
float nanf(const char *payload);
int ilogb(double x);
int ilogbf(float x);
long lround(double x);
long lroundf(float x);
long long llround(double x);
long long llroundf(float x);
long lrint(double x);
long lrintf(float x);
long long llrint(double x);
long long llrintf(float x);
}
#include <math_overloads.inc>
