// 1/sqrt(x), correctly rounded: by way of double precision. (Of all 2^24 significands and parities of the exponent, none is so near
// to a middle that rounding twice would tell.)
__device__ inline float __frsqrt_rn(float x)
{
    return x < 0.0f ? __int_as_float(0x7fffffff) : (float)(1.0 / sqrt((double)x));
}
