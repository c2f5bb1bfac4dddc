// Written by coefficients.py.
// (log(1 + x) - x + x^2 / 2) / x^3 on [-0.333667, 0.333667], to 2^-27.97
__device__ inline float __p_logf(float x)
{
    float p = 0.113358222f;
    p = fmaf(p, x, -0.124278203f);
    p = fmaf(p, x, 0.109147899f);
    p = fmaf(p, x, -0.122877881f);
    p = fmaf(p, x, 0.142919064f);
    p = fmaf(p, x, -0.166733593f);
    p = fmaf(p, x, 0.199999481f);
    p = fmaf(p, x, -0.249999434f);
    p = fmaf(p, x, 0.333333343f);
    return p;
}
// (log2(1 + x) - x / log(2)) / x^2 on [-0.333667, 0.333667], to 2^-27.05
__device__ inline float __p_log2f(float x)
{
    float p = 0.167613685f;
    p = fmaf(p, x, -0.183693901f);
    p = fmaf(p, x, 0.156563252f);
    p = fmaf(p, x, -0.176299036f);
    p = fmaf(p, x, 0.206251249f);
    p = fmaf(p, x, -0.240613356f);
    p = fmaf(p, x, 0.288536876f);
    p = fmaf(p, x, -0.360671461f);
    p = fmaf(p, x, 0.48089835f);
    p = fmaf(p, x, -0.721347511f);
    return p;
}
