// Written by coefficients.py.
// (e^x - 1 - x) / x^2 on [-0.34692, 0.34692], to 2^-26.89
__device__ inline float __p_expf(float x)
{
    float p = 0.00139262504f;
    p = fmaf(p, x, 0.00836323295f);
    p = fmaf(p, x, 0.0416665524f);
    p = fmaf(p, x, 0.166665763f);
    p = fmaf(p, x, 0.5f);
    return p;
}
// (2^x - 1) / x on [-0.5, 0.5], to 2^-29.19
__device__ inline float __p_exp2f(float x)
{
    float p = 1.52973244e-05f;
    p = fmaf(p, x, 0.000154614449f);
    p = fmaf(p, x, 0.0013333502f);
    p = fmaf(p, x, 0.00961805694f);
    p = fmaf(p, x, 0.0555041097f);
    p = fmaf(p, x, 0.240226507f);
    p = fmaf(p, x, 0.693147182f);
    return p;
}
// (10^x - 1) / x on [-0.150666, 0.150666], to 2^-27.08
__device__ inline float __p_exp10f(float x)
{
    float p = 0.068288818f;
    p = fmaf(p, x, 0.207775667f);
    p = fmaf(p, x, 0.53938067f);
    p = fmaf(p, x, 1.17124629f);
    p = fmaf(p, x, 2.0346787f);
    p = fmaf(p, x, 2.650949f);
    p = fmaf(p, x, 2.30258512f);
    return p;
}
// (e^x - 1 - x) / x^2 on [-0.3, 0.51], to 2^-29.51
__device__ inline float __p_expm1f(float x)
{
    float p = 2.70009477e-05f;
    p = fmaf(p, x, 0.000198545386f);
    p = fmaf(p, x, 0.00138856249f);
    p = fmaf(p, x, 0.00833334588f);
    p = fmaf(p, x, 0.0416666791f);
    p = fmaf(p, x, 0.166666672f);
    p = fmaf(p, x, 0.5f);
    return p;
}
