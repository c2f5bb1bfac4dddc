// Written by coefficients.py.
// (tanh r - r) / r^3, x = r^2 on [0.0, 0.3136], to 2^-27.54
__device__ inline float __p_tanhf(float x)
{
    float p = -0.00654254202f;
    p = fmaf(p, x, 0.0212727487f);
    p = fmaf(p, x, -0.0539033487f);
    p = fmaf(p, x, 0.133330822f);
    p = fmaf(p, x, -0.333333313f);
    return p;
}
