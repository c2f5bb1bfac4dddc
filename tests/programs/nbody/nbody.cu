// Gravity among all pairs, tile by tile through shared memory, then a step in time.
#ifdef __clang__
#include "../clang.h"
__device__ inline float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
#endif

#define TILE 64

extern "C" __global__ void __launch_bounds__(TILE) step(const float4 *before, float4 *after, float4 *velocity, float dt, int n)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = i < n ? before[i] : make_float4(0, 0, 0, 0);
    float ax = 0, ay = 0, az = 0;
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? before[j] : make_float4(0, 0, 0, 0); // no mass: no pull
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < TILE; k++) {
            float4 other = tile[k];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = other.w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    if (i >= n)
        return;
    float4 v = velocity[i];
    v.x += ax * dt, v.y += ay * dt, v.z += az * dt;
    velocity[i] = v;
    after[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
}
