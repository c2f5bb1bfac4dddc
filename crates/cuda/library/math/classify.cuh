// What kind of number one is: 1 or 0, as `int`, which NVRTC's have for their result too.
__device__ inline int isnan(float x) { return x != x; }
__device__ inline int isnan(double x) { return x != x; }
__device__ inline int isinf(float x) { return fabsf(x) == __int_as_float(0x7f800000); }
__device__ inline int isinf(double x) { return fabs(x) == __longlong_as_double(0x7ff0000000000000ll); }
__device__ inline int isfinite(float x) { return fabsf(x) < __int_as_float(0x7f800000); }
__device__ inline int isfinite(double x) { return fabs(x) < __longlong_as_double(0x7ff0000000000000ll); }
__device__ inline bool isnormal(float x) { return isfinite(x) && fabsf(x) >= 1.17549435e-38f; }
__device__ inline bool isnormal(double x) { return isfinite(x) && fabs(x) >= 2.2250738585072014e-308; }
__device__ inline int signbit(float x) { return __float_as_int(x) < 0; }
__device__ inline int signbit(double x) { return __double2hiint(x) < 0; }
__device__ inline float nanf(const char *) { return __int_as_float(0x7fffffff); }
__device__ inline double nan(const char *) { return __longlong_as_double(0x7fffffffffffffffll); }
// The C library's names without overloads.
#define CLASS(NAME, F)                                                                                                          \
    __device__ inline int __##NAME(double x) { return F(x); }                                                                   \
    __device__ inline int __##NAME##f(float x) { return F(x); }
CLASS(isnan, isnan)
CLASS(isinf, isinf)
CLASS(finite, isfinite)
CLASS(signbit, signbit)
#undef CLASS
