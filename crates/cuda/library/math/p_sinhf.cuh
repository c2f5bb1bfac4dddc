// Written by coefficients.py.
// (sinh r - r) / r^3, x = r^2 on [0.0, 1.01], to 2^-27.45
__device__ inline float __p_sinhf(float x)
{
    float p = 2.80679023e-06f;
    p = fmaf(p, x, 0.000198380381f);
    p = fmaf(p, x, 0.00833334029f);
    p = fmaf(p, x, 0.166666672f);
    return p;
}
