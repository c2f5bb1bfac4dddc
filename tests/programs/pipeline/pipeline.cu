// Copies from global to shared memory that go on while the threads compute (cp.async): two stages, copies of 4, 8 and
// 16 bytes, and one that is cut short and filled with zeros.
#include <cuda_pipeline.h>

#define TILE 64

extern "C" __global__ void two_stages(const float4 *in, float *out, int tiles)
{
    __shared__ float4 stage[2][TILE];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float4));
    __pipeline_commit();
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles)
            __pipeline_memcpy_async(&stage[(k + 1) & 1][t], &in[(k + 1) * TILE + t], sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = stage[k & 1][(t * 5 + k) % TILE];
        sum += v.x + 2 * v.y - v.z + v.w * k;
        __syncthreads();
    }
    out[t] = sum;
}

extern "C" __global__ void widths(const int *in, int *out, int n)
{
    __shared__ __align__(16) int words[48 * 4];
    __shared__ __align__(8) int2 pairs[48];
    __shared__ int singles[48];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&singles[t], &in[t], 4);
    __pipeline_memcpy_async(&pairs[t], &in[2 * t], 8);
    int have = max(0, min(16, (n - 4 * t) * 4));
    __pipeline_memcpy_async(&words[4 * t], &in[have > 0 ? 4 * t : 0], 16, 16 - have); // the rest: zeros
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[3 * t] = singles[47 - t];
    out[3 * t + 1] = pairs[(t + 1) % 48].x - pairs[(t + 7) % 48].y * 3;
    out[3 * t + 2] = words[4 * t] + words[(4 * t + 5) % 192] * 7 + words[4 * t + 3] * 50;
}
