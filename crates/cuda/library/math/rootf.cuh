// Cube roots and lengths of single precision.

// x^(-1/3) for normal x > 0, within 2 ulp: exponent divided by three, then Newton's step.
__device__ inline float __rcbrt_startf(float x)
{
    float y = __int_as_float(0x54a2fa8c - __float_as_int(x) / 3);
    y = y * fmaf(-0.33333334f * x * y, y * y, 1.3333334f);
    y = y * fmaf(-0.33333334f * x * y, y * y, 1.3333334f);
    return y * fmaf(-0.33333334f * x * y, y * y, 1.3333334f);
}
__device__ inline float cbrtf(float x)
{
    float a = fabsf(x), scale = 1.0f;
    if (!(a > 0.0f && a < __int_as_float(0x7f800000)))
        return x + x;
    if (a < 1.17549435e-38f) {
        a *= 16777216.0f;
        scale = 0.00390625f;
    }
    float y = __rcbrt_startf(a), t = a * y * y;
    // t - (t^3 - a) / (3 t^2), with t^2 in two parts.
    float square = t * t, low = fmaf(t, t, -square), error = fmaf(t, low, fmaf(t, square, -a));
    return copysignf(fmaf(error * y * y, -0.33333334f, t) * scale, x);
}
__device__ inline float rcbrtf(float x)
{
    float a = fabsf(x), scale = 1.0f;
    if (!(a > 0.0f && a < __int_as_float(0x7f800000)))
        return 1.0f / x;
    if (a < 1.17549435e-38f) {
        a *= 16777216.0f;
        scale = 256.0f;
    }
    float y = __rcbrt_startf(a);
    // y + y (1 - a y^3) / 3, with a y and y^2 in two parts.
    float product = a * y, low = fmaf(a, y, -product), square = y * y, lower = fmaf(y, y, -square);
    float error = fmaf(-product, lower, fmaf(-low, square, fmaf(-product, square, 1.0f)));
    return copysignf(fmaf(y * error, 0.33333334f, y) * scale, x);
}
// Power of two that brings the largest of lengths to [1, 2), within what float has both ways.
__device__ inline float __length_scalef(float largest)
{
    int exponent = (__float_as_int(largest) >> 23) - 127;
    exponent = exponent < -126 ? -126 : exponent > 126 ? 126 : exponent;
    return __int_as_float((127 - exponent) << 23);
}
__device__ inline float __infinite_or_nanf(bool infinite, float otherwise)
{
    return infinite ? __int_as_float(0x7f800000) : otherwise;
}
#define LENGTHS                                                                                                                 \
    float largest = fmaxf(fmaxf(fabsf(a), fabsf(b)), fmaxf(fabsf(c), fabsf(d)));                                                \
    bool infinite = largest == __int_as_float(0x7f800000);                                                                      \
    float scale = __length_scalef(largest);                                                                                     \
    a *= scale;                                                                                                                 \
    b *= scale;                                                                                                                 \
    c *= scale;                                                                                                                 \
    d *= scale;                                                                                                                 \
    float length = sqrtf(fmaf(a, a, fmaf(b, b, fmaf(c, c, d * d))));
__device__ inline float norm4df(float a, float b, float c, float d)
{
    LENGTHS
    return __infinite_or_nanf(infinite, length / scale);
}
__device__ inline float rnorm4df(float a, float b, float c, float d)
{
    LENGTHS
    // The sum of squares in two parts, and Newton's step for its root's reciprocal.
    float s = a * a, low = fmaf(a, a, -s), p, q;
#define ADD(X)                                                                                                                  \
    p = X * X;                                                                                                                  \
    low += fmaf(X, X, -p);                                                                                                       \
    q = s + p;                                                                                                                  \
    low += s > p ? p - (q - s) : s - (q - p);                                                                                   \
    s = q;
    ADD(b)
    ADD(c)
    ADD(d)
#undef ADD
    float y = 1.0f / length, square = y * y;
    float error = fmaf(-s, square, 1.0f) - fmaf(s, fmaf(y, y, -square), low * square);
    if (y < 2.0f)
        y = fmaf(y * error, 0.5f, y);
    return infinite ? 0.0f : y * scale;
}
#undef LENGTHS
__device__ inline float norm3df(float a, float b, float c) { return norm4df(a, b, c, 0.0f); }
__device__ inline float rnorm3df(float a, float b, float c) { return rnorm4df(a, b, c, 0.0f); }
__device__ inline float hypotf(float a, float b) { return norm4df(a, b, 0.0f, 0.0f); }
__device__ inline float rhypotf(float a, float b) { return rnorm4df(a, b, 0.0f, 0.0f); }
// Of any number of components: twice over them, for the largest and for the sum of squares.
__device__ inline float __norm_sumf(int count, const float *v, float *scale, bool *infinite)
{
    float largest = 0.0f, sum = 0.0f;
    for (int i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(v[i]));
    *infinite = largest == __int_as_float(0x7f800000);
    *scale = __length_scalef(largest);
    for (int i = 0; i < count; i++) {
        float a = v[i] * *scale;
        sum = fmaf(a, a, sum);
    }
    return sum;
}
__device__ inline float normf(int count, const float *v)
{
    float scale;
    bool infinite;
    float sum = __norm_sumf(count, v, &scale, &infinite);
    return __infinite_or_nanf(infinite, sqrtf(sum) / scale);
}
__device__ inline float rnormf(int count, const float *v)
{
    float scale;
    bool infinite;
    float sum = __norm_sumf(count, v, &scale, &infinite);
    return infinite ? 0.0f : 1.0f / sqrtf(sum) * scale;
}
