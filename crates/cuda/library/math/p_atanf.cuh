// Written by coefficients.py.
// (atan r - r) / r^3, x = r^2 on [0.0, 1.0], to 2^-25.37
__device__ inline float __p_atanf(float x)
{
    float p = -0.000936299446f;
    p = fmaf(p, x, 0.00620725472f);
    p = fmaf(p, x, -0.0192610808f);
    p = fmaf(p, x, 0.0383274443f);
    p = fmaf(p, x, -0.057607159f);
    p = fmaf(p, x, 0.0741749704f);
    p = fmaf(p, x, -0.0903674215f);
    p = fmaf(p, x, 0.111047067f);
    p = fmaf(p, x, -0.142853186f);
    p = fmaf(p, x, 0.199999899f);
    p = fmaf(p, x, -0.333333343f);
    return p;
}
// (asin r - r) / r^3, x = r^2 on [0.0, 0.25], to 2^-28.35
__device__ inline float __p_asinf(float x)
{
    float p = 0.0336908475f;
    p = fmaf(p, x, 0.0171492379f);
    p = fmaf(p, x, 0.0311006624f);
    p = fmaf(p, x, 0.0445994027f);
    p = fmaf(p, x, 0.0750009418f);
    p = fmaf(p, x, 0.166666657f);
    return p;
}
