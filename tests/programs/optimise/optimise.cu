// A step of Adam with decoupled decay of weights that are kept in 16 bits: slopes are clipped by their norm over the whole
// grid, and weights are rounded up or down at random, by a hash of step and place, in proportion to how near they are.

#include <cuda_bf16.h>

__device__ double squares;

extern "C" __global__ void measure(const __nv_bfloat16 *slopes, int n)
{
    __shared__ double warps[8];
    double sum = 0.0;
    for (int i = 8 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 8 * gridDim.x * blockDim.x) {
        if (i + 8 <= n) {
            uint4 packed = __ldcs((const uint4 *)(slopes + i));
            const __nv_bfloat162 *pairs = (const __nv_bfloat162 *)&packed;
            for (int k = 0; k < 4; k++) {
                float2 v = __bfloat1622float2(pairs[k]);
                sum += (double)v.x * v.x + (double)v.y * v.y;
            }
        } else
            for (int k = i; k < n; k++)
                sum += (double)__bfloat162float(slopes[k]) * __bfloat162float(slopes[k]);
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0;
        for (int d = 4; d > 0; d /= 2)
            sum += __shfl_down_sync(~0u, sum, d);
        if (threadIdx.x == 0)
            atomicAdd(&squares, sum);
    }
}

__device__ unsigned hash(unsigned place, unsigned step)
{
    unsigned h = place * 0x9e3779b1u + step * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

// Adding 16 random bits below the kept ones and cutting them off rounds up as often as it should.
__device__ __nv_bfloat16 round_at_random(float v, unsigned random)
{
    unsigned bits = __float_as_uint(v);
    if ((bits & 0x7f800000) != 0x7f800000)
        bits += random & 0xffff;
    return __ushort_as_bfloat16((unsigned short)(bits >> 16));
}

struct Settings {
    float rate, first, second, least, decay, clip;
    unsigned step;
};

extern "C" __global__ void update(__nv_bfloat16 *weights, const __nv_bfloat16 *slopes, float *first, float *second, Settings s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float norm = (float)sqrt(squares), scale = norm > s.clip ? s.clip / norm : 1.0f;
    float slope = __bfloat162float(slopes[i]) * scale, w = __bfloat162float(weights[i]);
    float m = fmaf(s.first, first[i], fmaf(-s.first, slope, slope));
    float v = fmaf(s.second, second[i], fmaf(-s.second, slope * slope, slope * slope));
    first[i] = m;
    second[i] = v;
    float unbiased_m = m / (1.0f - powf(s.first, (float)s.step)), unbiased_v = v / (1.0f - powf(s.second, (float)s.step));
    w -= s.rate * (unbiased_m / (sqrtf(unbiased_v) + s.least) + s.decay * w);
    weights[i] = round_at_random(w, hash(i, s.step));
}
