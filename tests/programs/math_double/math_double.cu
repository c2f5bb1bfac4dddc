// Double-precision functions as libdevice expands them: polynomials, table look-ups, and slow paths for large arguments.

extern "C" __global__ void functions(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i], p = fabs(x) + 0.01;
    double *mine = out + 16 * i;
    mine[0] = exp(x);
    mine[1] = log(p);
    mine[2] = sin(x * 1000);
    mine[3] = cos(x);
    mine[4] = pow(p, x * 0.5);
    mine[5] = sqrt(p);
    mine[6] = 1.0 / x;
    mine[7] = tanh(x);
    mine[8] = atan2(x, p - 3);
    mine[9] = cbrt(x);
    mine[10] = erf(x);
    mine[11] = fmod(x * 100, 7.25);
    mine[12] = rsqrt(p);
    mine[13] = sin(x * 1e12); // Payne and Hanek's reduction
    mine[14] = lgamma(p);
    mine[15] = hypot(x, 3.5);
}

// What needs no approximation: bit for bit.
extern "C" __global__ void exact(const double *in, double *out, long long *whole, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i], y = in[(i + 1) % n];
    int exponent;
    double *mine = out + 12 * i;
    mine[0] = fma(x, y, -1.0);
    mine[1] = __dadd_rd(x, y) - __dadd_ru(x, y);
    mine[2] = __dmul_rz(x, y);
    mine[3] = x / y;
    mine[4] = sqrt(fabs(y));
    mine[5] = floor(x) + ceil(y) * 1000;
    mine[6] = rint(x * 2.5) + trunc(y);
    mine[7] = frexp(x, &exponent) + exponent;
    mine[8] = ldexp(y, i % 40 - 20);
    mine[9] = fmin(x, y) + copysign(4.0, x);
    mine[10] = (float)x;
    mine[11] = __hiloint2double(__double2hiint(x), __double2loint(y));
    whole[3 * i] = __double_as_longlong(x) >> 40;
    whole[3 * i + 1] = (long long)(x * 1e15) + llrint(y);
    whole[3 * i + 2] = (unsigned long long)(fabs(y) * 1e18) ^ (unsigned)(fabs(x) * 1e6);
}
