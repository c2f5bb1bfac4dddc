// The sum of a vector by tiles that pass through shared memory, in as many buffers as STAGES says. While the threads add one
// tile, the copies of the next STAGES - 1 are on their way.
#include <cuda_pipeline_primitives.h>
#ifndef STAGES
#define STAGES 2
#endif

extern "C" __global__ void ahead(const float4 *in, float *out, int tiles) {
    __shared__ float4 tile[STAGES][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    auto fetch = [&](int n) {
        int k = blockIdx.x + n * gridDim.x;
        if (k < tiles) __pipeline_memcpy_async(&tile[n % STAGES][t], in + 64 * k + t, sizeof(float4));
        __pipeline_commit();
    };
    for (int n = 0; n < STAGES - 1; n++) fetch(n);
    for (int n = 0; blockIdx.x + n * gridDim.x < tiles; n++) {
        fetch(n + STAGES - 1);
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        float4 v = tile[n % STAGES][(t + 32) % 64];
        sum += v.x + v.y + v.z + v.w;
        __syncthreads();
    }
    out[64 * blockIdx.x + t] = sum;
}
