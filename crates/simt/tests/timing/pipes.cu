// arch: compute_75
// One kind of instruction at a time, each depending on the one before: few warps show its latency, many its rate.

#define CHAIN(NAME, TYPE, START, UNROLL, STEP)                                 \
    extern "C" __global__ void NAME(TYPE *out, int rounds)                     \
    {                                                                          \
        int t = blockIdx.x * blockDim.x + threadIdx.x;                         \
        TYPE x = (TYPE)(START + threadIdx.x % 32), y = (TYPE)(START + rounds % 2);\
        for (int r = 0; r < rounds; r++) {                                     \
            _Pragma("unroll") for (int u = 0; u < UNROLL; u++) { STEP; }       \
        }                                                                      \
        out[t] = x;                                                            \
    }

extern "C" __global__ void empty() {}

CHAIN(fma_f32, float, 0.5f, 16, x = x * y + y)
CHAIN(fma_f64, double, 0.5, 16, x = x * y + y)
CHAIN(mad_s32, int, 3, 16, x = x * y + y)
CHAIN(logic_b32, unsigned, 3, 8, x = (x ^ y) + (x >> 3))
CHAIN(mul_s64, long long, 3, 8, x = x * y + y)
CHAIN(half2, unsigned, 0x3c003c00, 16, asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(y)))
CHAIN(rsqrt_f32, float, 1.5f, 16, asm volatile("rsqrt.approx.f32 %0, %0;" : "+f"(x)))
CHAIN(ex2_f32, float, 0.5f, 16, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)))
CHAIN(sin_f32, float, 0.5f, 16, asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(x)))
CHAIN(div_f32, float, 1.5f, 4, x = y / x)
CHAIN(sqrt_f32, float, 1.5f, 4, x = sqrtf(x))
CHAIN(div_f64, double, 1.5, 2, x = y / x)
CHAIN(div_u32, unsigned, 77777, 4, x = 4000000000u / (x | 1))
CHAIN(convert, float, 1.5f, 8, x = (float)((int)x + 1))
CHAIN(shuffle, int, 3, 8, x = __shfl_xor_sync(0xffffffffu, x, 5))
CHAIN(popc_b32, unsigned, 3, 8, x = __popc(x) + y)

extern "C" __global__ void shared_chase(int *out, int rounds, int stride)
{
    __shared__ int next[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        next[i] = (i + 1056) % 2048;
    __syncthreads();
    int at = threadIdx.x * stride % 1024;
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int u = 0; u < 8; u++)
            at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// Each thread keeps 64 words in local memory and reads them at places that it computes.
extern "C" __global__ void local_words(int *out, int rounds)
{
    int words[64], at = threadIdx.x % 7;
    for (int i = 0; i < 64; i++)
        words[i] = (i * 37 + 11) & 63;
    for (int r = 0; r < rounds; r++) {
        int now = words[at];
        words[at] = (now + 5) & 63;
        at = now;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
