// Copy the tiles asynchronously.
//
// A thread that takes a body from global to shared memory loads it into registers and
// waits for it there. An asynchronous copy bypasses the registers:
// `__pipeline_memcpy_async(to, from, 16)` of <cuda_pipeline.h> starts it,
// `__pipeline_commit()` closes a batch of copies, and `__pipeline_wait_prior(0)` waits
// until all of the thread's own batches are done. A fourth argument of the copy says
// how many bytes at its end are filled with zeros instead of being read.
//
// Bring all bodies of the tiles by asynchronous copies, and none by stores, and start
// the copies of a tile before the previous one is used: while the warps compute with
// one tile, the next is in flight. That takes two tiles in shared memory, used
// alternately, and `__pipeline_wait_prior(1)`, which leaves the latest batch in flight.
// The last tile may be incomplete.

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

//<
__device__ void bring(float4 *tile, const float4 *bodies, int j, int n)
{
    const float4 *from = &bodies[min(j, n - 1)];
    __pipeline_memcpy_async(&tile[threadIdx.x], from, 16, j < n ? 0 : 16);
    __pipeline_commit();
}

//| skeleton
//| one after the other
//| no commit
__device__ void bring(float4 *tile, const float4 *bodies, int j, int n)
{
    const float4 *from = &bodies[min(j, n - 1)];
    __pipeline_memcpy_async(&tile[threadIdx.x], from, 16, j < n ? 0 : 16);
}

//| the last body again
__device__ void bring(float4 *tile, const float4 *bodies, int j, int n)
{
    __pipeline_memcpy_async(&tile[threadIdx.x], &bodies[min(j, n - 1)], 16);
    __pipeline_commit();
}

//>
__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n)
{
    //<
    __shared__ float4 tile[2][TILE];
    //| skeleton
    __shared__ float4 tile[TILE];
    //| one after the other
    __shared__ float4 tile[TILE];
    //>
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = bodies[min(i, n - 1)];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    //<
    bring(tile[0], bodies, threadIdx.x, n);
    //| skeleton
    //| one after the other
    //>
    for (int start = 0; start < n; start += TILE) {
        //<
        int now = start / TILE % 2;
        bring(tile[1 - now], bodies, start + TILE + threadIdx.x, n);
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < TILE; k++) interact(a, me, tile[now][k]);
        //| skeleton
        int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int k = 0; k < TILE; k++) interact(a, me, tile[k]);
        //| one after the other
        int j = start + threadIdx.x;
        const float4 *from = &bodies[min(j, n - 1)];
        __pipeline_memcpy_async(&tile[threadIdx.x], from, 16, j < n ? 0 : 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int k = 0; k < TILE; k++) interact(a, me, tile[k]);
        //| no wait
        int now = start / TILE % 2;
        bring(tile[1 - now], bodies, start + TILE + threadIdx.x, n);
        __syncthreads();
        for (int k = 0; k < TILE; k++) interact(a, me, tile[now][k]);
        //| the wait after the barrier
        int now = start / TILE % 2;
        bring(tile[1 - now], bodies, start + TILE + threadIdx.x, n);
        __syncthreads();
        __pipeline_wait_prior(1);
        for (int k = 0; k < TILE; k++) interact(a, me, tile[now][k]);
        //| a wait in place of the barrier
        int now = start / TILE % 2;
        bring(tile[1 - now], bodies, start + TILE + threadIdx.x, n);
        __pipeline_wait_prior(1);
        for (int k = 0; k < TILE; k++) interact(a, me, tile[now][k]);
        //| waits for all but two
        int now = start / TILE % 2;
        bring(tile[1 - now], bodies, start + TILE + threadIdx.x, n);
        __pipeline_wait_prior(2);
        __syncthreads();
        for (int k = 0; k < TILE; k++) interact(a, me, tile[now][k]);
        //>
        __syncthreads();
    }
    if (i < n) acceleration[i] = a;
}
