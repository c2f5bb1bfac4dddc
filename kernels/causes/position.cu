// The stencil of lab 5.5, with its coefficients as constants, or loaded after or before the barrier.

#define RADIUS 4

__constant__ float coef[RADIUS + 1];

// Copies this block's part of `in` and a halo of RADIUS on both sides into shared memory.
__device__ void stage(float *smem, const float *in, int idx, int n) {
    int sidx = threadIdx.x + RADIUS;
    if (idx < n + RADIUS) smem[sidx] = in[idx];
    if (threadIdx.x < RADIUS) {
        smem[sidx - RADIUS] = in[idx - RADIUS];
        if (idx + (int)blockDim.x < n + RADIUS) smem[sidx + blockDim.x] = in[idx + blockDim.x];
    }
    __syncthreads();
}

__device__ float weighed(const float *s, const float *c) {
    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) sum += c[j] * (s[j] - s[-j]);
    return sum;
}

// ANCHOR: load
// The compilers leave a volatile load where it stands.
__device__ __forceinline__ void load(float *k, const float *c) {
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(k[j]) : "l"(c + j));
}
// ANCHOR_END: load

extern "C" __global__ void stencil_constant(const float *in, float *out, int n, const float *) {
    extern __shared__ float smem[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    stage(smem, in, idx, n);
    if (idx >= n) return;
    out[idx] = weighed(smem + threadIdx.x + RADIUS, coef);
}

// ANCHOR: after
extern "C" __global__ void stencil_after(const float *in, float *out, int n, const float *c) {
    extern __shared__ float smem[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    stage(smem, in, idx, n);
    if (idx >= n) return;
    float k[RADIUS + 1];
    load(k, c);
    out[idx] = weighed(smem + threadIdx.x + RADIUS, k);
}
// ANCHOR_END: after

// ANCHOR: before
extern "C" __global__ void stencil_before(const float *in, float *out, int n, const float *c) {
    extern __shared__ float smem[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    float k[RADIUS + 1];
    load(k, c);
    stage(smem, in, idx, n);
    if (idx >= n) return;
    out[idx] = weighed(smem + threadIdx.x + RADIUS, k);
}
// ANCHOR_END: before
