// Every function of the CUDA math library for float, over numbers of all magnitudes.
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
__device__ float wide(unsigned n) {
    const unsigned corners[] = {0, 0x80000000u, 1, 0x007fffff, 0x00800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x40490fdb, 0x4b800000, 0xc2b00000, 0x42b17218};
    if (n < 16) return __uint_as_float(corners[n]);
    unsigned h = hash(n);
    if (n % 4 == 1) return (int(h) >> 8) * 1e-6f;
    if (n % 4 == 2) return (int(h) >> 16) * 1e-3f;
    if (n % 4 == 3) return (h & 0xffffff) * (1.0f / 0x1000000);
    return __uint_as_float(h);
}
extern "C" __global__ void special(float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    float x = wide(i);
    float r[43] = {erff(x), erfcf(x), erfinvf(x), erfcinvf(x), erfcxf(x), lgammaf(x), tgammaf(x), j0f(x), j1f(x), y0f(fabsf(x)), y1f(fabsf(x)),
        jnf(3, x), ynf(2, fabsf(x)), normcdff(x), normcdfinvf(x), cyl_bessel_i0f(x), cyl_bessel_i1f(x), sinpif(x), cospif(x), expm1f(x), log1pf(x),
        cbrtf(x), rcbrtf(x), rsqrtf(x), asinf(x), acosf(x), atanf(x), sinhf(x), coshf(x), tanhf(x), asinhf(x), acoshf(x), atanhf(x), exp2f(x), exp10f(x),
        log2f(x), log10f(x), logbf(x), sinf(x), cosf(x), tanf(x), expf(x), logf(x)};
    for (int k = 0; k < 43; k++) out[k * n + i] = r[k];
}
extern "C" __global__ void pairs(float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    float x = wide(i), y = wide(hash(i * 7 + 5) % 1024), z = wide(hash(i) % 1024);
    int quotient; float s, c, rest = remquof(x, y, &quotient), whole, part = modff(x, &whole);
    sincospif(x, &s, &c);
    float v4[4] = {x, y, z, 1.0f};
    float r[22] = {powf(x, y), atan2f(x, y), hypotf(x, y), rhypotf(x, y), fmodf(x, y), remainderf(x, y), rest, float(quotient & 7), nextafterf(x, y), fdimf(x, y),
        fmaxf(x, y), fminf(x, y), copysignf(x, y), norm3df(x, y, z), rnorm3df(x, y, z), norm4df(x, y, z, x), normf(4, v4), rnormf(4, v4), whole, part, s, c};
    for (int k = 0; k < 22; k++) out[k * n + i] = r[k];
}
extern "C" __global__ void more(float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    float x = wide(i), y = wide(hash(i * 7 + 5) % 1024);
    int e; float m = frexpf(x, &e), s, c;
    sincosf(x, &s, &c);
    float r[29] = {m, float(e), ldexpf(x, int(i % 300) - 150), scalbnf(x, int(i % 30) - 15), scalblnf(x, 4L), float(ilogbf(x)), floorf(x), ceilf(x), truncf(x), roundf(x), rintf(x), nearbyintf(x),
        float(lrintf(x)), float(lroundf(x)), float(llrintf(x)), float(llroundf(x)), float(isnan(x)), float(isinf(x)), float(signbit(x)), s, c, __fdiv_rd(x, y), __fadd_ru(x, y), __fsqrt_rz(x), __frcp_ru(x),
        __fmaf_rz(x, y, x), fmaf(x, y, 1.0f), __saturatef(x), __frsqrt_rn(x)};
    for (int k = 0; k < 29; k++) out[k * n + i] = r[k];
}
