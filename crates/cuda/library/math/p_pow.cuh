// Written by coefficients.py.
// (2 atanh s - 2 s - 2/3 s^3) / s^5, x = s^2 on [0.0, 0.02975], to 2^-65.46
__device__ inline double __p_log_s(double x)
{
    double p = 0.10776432576587154;
    p = fma(p, x, 0.10454773335508787);
    p = fma(p, x, 0.1176688283479239);
    p = fma(p, x, 0.13333294914310276);
    p = fma(p, x, 0.15384615781902691);
    p = fma(p, x, 0.1818181817951387);
    p = fma(p, x, 0.2222222222222891);
    p = fma(p, x, 0.28571428571428564);
    p = fma(p, x, 0.40000000000000002);
    return p;
}
