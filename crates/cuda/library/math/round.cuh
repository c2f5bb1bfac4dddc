// Rounding and differences, of both precisions: all exact.
__device__ inline float roundf(float x)
{
    float t = truncf(x);
    return copysignf(fabsf(x - t) >= 0.5f ? t + copysignf(1.0f, x) : t, x);
}
__device__ inline double round(double x)
{
    double t = trunc(x);
    return copysign(fabs(x - t) >= 0.5 ? t + copysign(1.0, x) : t, x);
}
__device__ inline float round(float x) { return roundf(x); }
__device__ inline long lroundf(float x) { return (long)__float2ll_rz(roundf(x)); }
__device__ inline long lround(double x) { return (long)__double2ll_rz(round(x)); }
__device__ inline long lround(float x) { return lroundf(x); }
__device__ inline long long llroundf(float x) { return __float2ll_rz(roundf(x)); }
__device__ inline long long llround(double x) { return __double2ll_rz(round(x)); }
__device__ inline long long llround(float x) { return llroundf(x); }
__device__ inline long lrintf(float x) { return (long)__float2ll_rn(x); }
__device__ inline long lrint(double x) { return (long)__double2ll_rn(x); }
__device__ inline long lrint(float x) { return lrintf(x); }
__device__ inline long long llrintf(float x) { return __float2ll_rn(x); }
__device__ inline long long llrint(double x) { return __double2ll_rn(x); }
__device__ inline long long llrint(float x) { return llrintf(x); }

__device__ inline float fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }
__device__ inline double fdim(double x, double y) { return x <= y ? 0.0 : x - y; }
__device__ inline float fdim(float x, float y) { return fdimf(x, y); }
