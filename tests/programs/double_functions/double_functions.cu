// Every function of the CUDA math library for double.
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
__device__ double wide(unsigned n) {
    const unsigned long long corners[] = {0, 1ull << 63, 1, 0xfffffffffffffull, 0x10000000000000ull, 0x7fefffffffffffffull, 0x7ff0000000000000ull, 0xfff0000000000000ull, 0x7ff8000000000000ull,
        0x3ff0000000000000ull, 0xbff0000000000000ull, 0x3fefffffffffffffull, 0x400921fb54442d18ull, 0x4170000000000000ull, 0xc086000000000000ull, 0x40862e42fefa39efull};
    if (n < 16) return __longlong_as_double(corners[n]);
    unsigned h = hash(n), l = hash(h);
    if (n % 4 == 1) return (int(h) >> 8) * 1e-6;
    if (n % 4 == 2) return (int(h) >> 16) * 1e-3;
    if (n % 4 == 3) return (h & 0xffffff) * (1.0 / 0x1000000);
    return __hiloint2double(h, l);
}
extern "C" __global__ void special(double *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    double x = wide(i);
    double r[43] = {erf(x), erfc(x), erfinv(x), erfcinv(x), erfcx(x), lgamma(x), tgamma(x), j0(x), j1(x), y0(fabs(x)), y1(fabs(x)),
        jn(3, x), yn(2, fabs(x)), normcdf(x), normcdfinv(x), cyl_bessel_i0(x), cyl_bessel_i1(x), sinpi(x), cospi(x), expm1(x), log1p(x),
        cbrt(x), rcbrt(x), rsqrt(x), asin(x), acos(x), atan(x), sinh(x), cosh(x), tanh(x), asinh(x), acosh(x), atanh(x), exp2(x), exp10(x),
        log2(x), log10(x), logb(x), sin(x), cos(x), tan(x), exp(x), log(x)};
    for (int k = 0; k < 43; k++) out[k * n + i] = r[k];
}
extern "C" __global__ void pairs(double *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    double x = wide(i), y = wide(hash(i * 7 + 5) % 512), z = wide(hash(i) % 512);
    int quotient; double s, c, rest = remquo(x, y, &quotient), whole, part = modf(x, &whole);
    sincospi(x, &s, &c);
    double v4[4] = {x, y, z, 1.0};
    double r[22] = {pow(x, y), atan2(x, y), hypot(x, y), rhypot(x, y), fmod(x, y), remainder(x, y), rest, double(quotient & 7), nextafter(x, y), fdim(x, y),
        fmax(x, y), fmin(x, y), copysign(x, y), norm3d(x, y, z), rnorm3d(x, y, z), norm4d(x, y, z, x), norm(4, v4), rnorm(4, v4), whole, part, s, c};
    for (int k = 0; k < 22; k++) out[k * n + i] = r[k];
}
extern "C" __global__ void more(double *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    double x = wide(i), y = wide(hash(i * 7 + 5) % 512);
    int e; double m = frexp(x, &e), s, c;
    sincos(x, &s, &c);
    double r[29] = {m, double(e), ldexp(x, int(i % 300) - 150), scalbn(x, int(i % 30) - 15), scalbln(x, 4L), double(ilogb(x)), floor(x), ceil(x), trunc(x), round(x), rint(x), nearbyint(x),
        double(lrint(x)), double(lround(x)), double(llrint(x)), double(llround(x)), double(isnan(x)), double(isinf(x)), double(signbit(x)), s, c, __ddiv_rd(x, y), __dadd_ru(x, y), __dsqrt_rz(x), __drcp_ru(x),
        __fma_rz(x, y, x), fma(x, y, 1.0), double(__double2float_rd(x)), double(__double2int_rn(y))};
    for (int k = 0; k < 29; k++) out[k * n + i] = r[k];
}
