// Copy the tiles asynchronously.
//
// A thread that takes a body from global to shared memory loads it into registers and
// waits for it there. An asynchronous copy goes past the registers:
// `__pipeline_memcpy_async(to, from, 16)` of <cuda_pipeline.h> starts it,
// `__pipeline_commit()` closes a batch of copies, and `__pipeline_wait_prior(0)` waits
// until all of the thread's own batches are done. A fourth argument of the copy says
// how many bytes at its end are filled with zeros instead of being read.
//
// Bring all bodies of the tiles by asynchronous copies, and none by stores. The last
// tile need not be full.

#include <cuda_pipeline.h>

#define TILE 64

__device__ void interact(float3 &a, float4 me, float4 other)
{
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.25f); // ε² = 0.25
    float pull = other.w * inverse * inverse * inverse;          // the mass is in w
    a.x += dx * pull;
    a.y += dy * pull;
    a.z += dz * pull;
}

__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = bodies[min(i, n - 1)];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        //<
        const float4 *from = &bodies[min(j, n - 1)];
        __pipeline_memcpy_async(&tile[threadIdx.x], from, 16, j < n ? 0 : 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        //| skeleton
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        //| no wait
        const float4 *from = &bodies[min(j, n - 1)];
        __pipeline_memcpy_async(&tile[threadIdx.x], from, 16, j < n ? 0 : 16);
        __pipeline_commit();
        __syncthreads();
        //| no commit
        const float4 *from = &bodies[min(j, n - 1)];
        __pipeline_memcpy_async(&tile[threadIdx.x], from, 16, j < n ? 0 : 16);
        __pipeline_wait_prior(0);
        __syncthreads();
        //| the wait after the barrier
        const float4 *from = &bodies[min(j, n - 1)];
        __pipeline_memcpy_async(&tile[threadIdx.x], from, 16, j < n ? 0 : 16);
        __pipeline_commit();
        __syncthreads();
        __pipeline_wait_prior(0);
        //| waits for all but one
        const float4 *from = &bodies[min(j, n - 1)];
        __pipeline_memcpy_async(&tile[threadIdx.x], from, 16, j < n ? 0 : 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        //| a wait in place of the barrier
        const float4 *from = &bodies[min(j, n - 1)];
        __pipeline_memcpy_async(&tile[threadIdx.x], from, 16, j < n ? 0 : 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        //| the last body again
        __pipeline_memcpy_async(&tile[threadIdx.x], &bodies[min(j, n - 1)], 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        //>
        for (int k = 0; k < TILE; k++) interact(a, me, tile[k]);
        __syncthreads();
    }
    if (i < n) acceleration[i] = a;
}
