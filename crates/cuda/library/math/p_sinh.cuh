// Written by coefficients.py.
// (sinh r - r) / r^3, x = r^2 on [0.0, 1.01], to 2^-56.55
__device__ inline double __p_sinh(double x)
{
    double p = 8.3100619549450509e-18;
    p = fma(p, x, 2.8112876105508813e-15);
    p = fma(p, x, 7.6471654657172423e-13);
    p = fma(p, x, 1.6059043826496825e-10);
    p = fma(p, x, 2.5052108385477828e-08);
    p = fma(p, x, 2.7557319223985821e-06);
    p = fma(p, x, 0.00019841269841269841);
    p = fma(p, x, 0.0083333333333333332);
    p = fma(p, x, 0.16666666666666666);
    return p;
}
