// Single-precision functions; built with and without --use_fast_math, which puts the approximate instructions in.

extern "C" __global__ void functions(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], p = fabsf(x) + 0.01f, s, c;
    float *mine = out + 20 * i;
    mine[0] = sinf(x);
    mine[1] = cosf(x);
    mine[2] = expf(x);
    mine[3] = logf(p);
    mine[4] = powf(p, x * 0.25f);
    mine[5] = x / p;
    mine[6] = sqrtf(p);
    mine[7] = rsqrtf(p);
    mine[8] = tanf(x * 0.3f);
    mine[9] = tanhf(x);
    mine[10] = exp2f(x);
    mine[11] = log2f(p);
    mine[12] = log10f(p);
    mine[13] = atan2f(x, p - 2.0f);
    mine[14] = erff(x);
    mine[15] = fmodf(x * 10, 0.75f);
    sincosf(x * 2, &s, &c);
    mine[16] = s * 2 + c;
    mine[17] = 1.0f / p;
    mine[18] = asinf(x * 0.19f);
    mine[19] = cbrtf(x);
}

// The intrinsics, which are approximate in either build.
extern "C" __global__ void intrinsics(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], p = fabsf(x) + 0.01f;
    float *mine = out + 8 * i;
    mine[0] = __sinf(x);
    mine[1] = __cosf(x);
    mine[2] = __expf(x);
    mine[3] = __logf(p);
    mine[4] = __powf(p, 1.5f);
    mine[5] = __fdividef(x, p);
    mine[6] = __frsqrt_rn(p);
    mine[7] = __saturatef(x * 0.3f + 0.5f);
}

// Bit for bit, but for what --use_fast_math flushes: no argument or result here is subnormal.
extern "C" __global__ void exact(const float *in, float *out, int *whole, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], y = in[(i + 1) % n];
    float *mine = out + 10 * i;
    mine[0] = __fmaf_rn(x, y, -1.0f);
    mine[1] = __fadd_rd(x, y);
    mine[2] = __fmul_ru(x, y);
    mine[3] = __fdiv_rn(x, y);
    mine[4] = __fsqrt_rz(fabsf(y));
    mine[5] = floorf(x) + ceilf(y) * 100;
    mine[6] = rintf(x * 2.5f) + truncf(y);
    mine[7] = __frcp_rn(y);
    mine[8] = fmaxf(x, y) - copysignf(0.5f, x);
    mine[9] = roundf(y * 3);
    whole[4 * i] = (int)(x * 1e6f);
    whole[4 * i + 1] = __float2int_rd(y * 10) * 7 + __float2uint_ru(fabsf(x));
    whole[4 * i + 2] = __float_as_int(x) ^ (int)__float2ll_rn(y * 1e5f);
    whole[4 * i + 3] = (isnan(x) ? 1 : 0) + (isinf(x / 0.0f) ? 2 : 0) + (signbit(y) ? 4 : 0) + (int)lroundf(x) * 8;
}
