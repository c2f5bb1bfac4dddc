// Written by coefficients.py.
// (sin r - r) / r^3, x = r^2 on [0.0, 0.641771], to 2^-28.27
__device__ inline float __p_sinf(float x)
{
    float p = 2.72375769e-06f;
    p = fmaf(p, x, -0.000198399895f);
    p = fmaf(p, x, 0.00833333191f);
    p = fmaf(p, x, -0.166666672f);
    return p;
}
// (cos r - 1 + r^2 / 2) / r^4, x = r^2 on [0.0, 0.641771], to 2^-30.91
__device__ inline float __p_cosf(float x)
{
    float p = -2.72906533e-07f;
    p = fmaf(p, x, 2.48005199e-05f);
    p = fmaf(p, x, -0.00138888881f);
    p = fmaf(p, x, 0.0416666679f);
    return p;
}
// (tan r - r) / r^3, x = r^2 on [0.0, 0.641771], to 2^-26.51
__device__ inline float __p_tanf(float x)
{
    float p = 0.00401587877f;
    p = fmaf(p, x, 0.000888323237f);
    p = fmaf(p, x, 0.010151837f);
    p = fmaf(p, x, 0.0215659309f);
    p = fmaf(p, x, 0.0540016182f);
    p = fmaf(p, x, 0.133331969f);
    p = fmaf(p, x, 0.333333343f);
    return p;
}
// (sin(pi r) - pi r) / r^3, x = r^2 on [0.0, 0.0625625], to 2^-29.12
__device__ inline float __p_sinpif(float x)
{
    float p = 0.081228666f;
    p = fmaf(p, x, -0.59922874f);
    p = fmaf(p, x, 2.55016351f);
    p = fmaf(p, x, -5.16771269f);
    return p;
}
// (cos(pi r) - 1 + pi^2 / 2 r^2) / r^4, x = r^2 on [0.0, 0.0625625], to 2^-29.83
__device__ inline float __p_cospi_tailf(float x)
{
    float p = 0.232921511f;
    p = fmaf(p, x, -1.33520639f);
    p = fmaf(p, x, 4.05871201f);
    return p;
}
