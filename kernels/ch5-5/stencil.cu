// The 8th-order first derivative in one dimension, in the variants of lab 5.5.
//
// out[i] = sum over j = 1..4 of c[j] * (in[i + j] - in[i - j]);  c[0] is there as in the source, and is zero.
// Every kernel but the guarded ones and the copies wants a halo: `in` and `out` point RADIUS elements past the start of
// arrays of n + 2 * RADIUS. Dynamic shared memory of those that stage: (blockDim.x + 2 * RADIUS) floats, with
// blockDim.x >= RADIUS, unless they say otherwise.

#define RADIUS 4

// ANCHOR: declaration
__constant__ float coef[RADIUS + 1];
// ANCHOR_END: declaration

// ANCHOR: stage
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
// ANCHOR_END: stage

// ANCHOR: constant
extern "C" __global__ void stencil_constant(const float *in, float *out, int n) {
    extern __shared__ float smem[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    stage(smem, in, idx, n);
    if (idx >= n) return;

    const float *s = smem + threadIdx.x + RADIUS;
    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) sum += coef[j] * (s[j] - s[-j]);
    out[idx] = sum;
}
// ANCHOR_END: constant

// ANCHOR: restrict
extern "C" __global__ void stencil_restrict(const float *in, float *out, int n, const float *__restrict__ c) {
    extern __shared__ float smem[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    stage(smem, in, idx, n);
    if (idx >= n) return;

    const float *s = smem + threadIdx.x + RADIUS;
    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) sum += c[j] * (s[j] - s[-j]);
    out[idx] = sum;
}
// ANCHOR_END: restrict

// ANCHOR: ldg
extern "C" __global__ void stencil_ldg(const float *in, float *out, int n, const float *c) {
    extern __shared__ float smem[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    stage(smem, in, idx, n);
    if (idx >= n) return;

    const float *s = smem + threadIdx.x + RADIUS;
    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) sum += __ldg(&c[j]) * (s[j] - s[-j]);
    out[idx] = sum;
}
// ANCHOR_END: ldg

// ANCHOR: global
// `c` may alias `out` for all the compiler knows, so these are plain global loads.
extern "C" __global__ void stencil_global(const float *in, float *out, int n, const float *c) {
    extern __shared__ float smem[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    stage(smem, in, idx, n);
    if (idx >= n) return;

    const float *s = smem + threadIdx.x + RADIUS;
    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) sum += c[j] * (s[j] - s[-j]);
    out[idx] = sum;
}
// ANCHOR_END: global

// ANCHOR: guarded
// The second source's form: no halo around the arrays of n; the ends are handled here, and the first and last RADIUS
// outputs, which have no full neighbourhood, are not written.
__device__ bool stage_guarded(float *smem, const float *in, int idx, int n) {
    int sidx = threadIdx.x + RADIUS;
    if (idx < n) smem[sidx] = in[idx];
    if (threadIdx.x < RADIUS) {
        if (idx >= RADIUS) smem[sidx - RADIUS] = in[idx - RADIUS];
        if (idx + (int)blockDim.x < n) smem[sidx + blockDim.x] = in[idx + blockDim.x];
    }
    __syncthreads();
    return idx >= RADIUS && idx < n - RADIUS;
}

extern "C" __global__ void stencil_guarded_constant(const float *in, float *out, int n) {
    extern __shared__ float smem[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (!stage_guarded(smem, in, idx, n)) return;

    const float *s = smem + threadIdx.x + RADIUS;
    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) sum += coef[j] * (s[j] - s[-j]);
    out[idx] = sum;
}
// ANCHOR_END: guarded

extern "C" __global__ void stencil_guarded_restrict(const float *in, float *out, int n, const float *__restrict__ c) {
    extern __shared__ float smem[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (!stage_guarded(smem, in, idx, n)) return;

    const float *s = smem + threadIdx.x + RADIUS;
    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) sum += c[j] * (s[j] - s[-j]);
    out[idx] = sum;
}

// ANCHOR: unstaged
// No shared memory and no barrier: each thread loads its eight neighbours itself.
extern "C" __global__ void stencil_unstaged(const float *in, float *out, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n) return;

    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) sum += coef[j] * (in[idx + j] - in[idx - j]);
    out[idx] = sum;
}
// ANCHOR_END: unstaged

// The same with the input through the read-only path.
extern "C" __global__ void stencil_unstaged_read_only(const float *in, float *out, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n) return;

    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++) sum += coef[j] * (__ldg(&in[idx + j]) - __ldg(&in[idx - j]));
    out[idx] = sum;
}

// ANCHOR: wide
// Four outputs a thread, from registers: three 16-byte loads bring the twelve inputs, one 16-byte store takes the
// results away, and no shared memory or barrier stands between. For n a multiple of 4 and 16-byte aligned arrays.
__device__ float4 four(float4 left, float4 middle, float4 right) {
    float v[12] = {left.x, left.y, left.z, left.w, middle.x, middle.y, middle.z, middle.w,
                   right.x, right.y, right.z, right.w};
    float sum[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        sum[k] = 0.0f;
#pragma unroll
        for (int j = 1; j <= RADIUS; j++) sum[k] += coef[j] * (v[4 + k + j] - v[4 + k - j]);
    }
    return make_float4(sum[0], sum[1], sum[2], sum[3]);
}

extern "C" __global__ void stencil_wide(const float4 *in, float4 *out, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * idx >= n) return;
    out[idx] = four(in[idx - 1], in[idx], in[idx + 1]);
}
// ANCHOR_END: wide

// The same with the input through the read-only path.
extern "C" __global__ void stencil_wide_read_only(const float4 *in, float4 *out, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * idx >= n) return;
    out[idx] = four(__ldg(&in[idx - 1]), __ldg(&in[idx]), __ldg(&in[idx + 1]));
}

// ANCHOR: wide_staged
// The same with the input staged in (blockDim.x + 2) float4 of shared memory: the halo is one on either side.
extern "C" __global__ void stencil_wide_staged(const float4 *in, float4 *out, int n) {
    extern __shared__ float4 wide[];
    int idx = blockIdx.x * blockDim.x + threadIdx.x, sidx = threadIdx.x + 1;
    if (4 * idx < n + RADIUS) wide[sidx] = in[idx];
    if (threadIdx.x == 0) {
        wide[0] = in[idx - 1];
        int behind = idx + blockDim.x;
        if (4 * behind < n + RADIUS) wide[blockDim.x + 1] = in[behind];
    }
    __syncthreads();
    if (4 * idx >= n) return;
    out[idx] = four(wide[sidx - 1], wide[sidx], wide[sidx + 1]);
}
// ANCHOR_END: wide_staged

// ANCHOR: copy
// The lines to compare with: as many bytes moved, nothing computed.
extern "C" __global__ void copy(const float *in, float *out, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) out[idx] = in[idx];
}

// The same with 16-byte accesses, as `stencil_wide` has them.
extern "C" __global__ void copy_wide(const float4 *in, float4 *out, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * idx < n) out[idx] = in[idx];
}
// ANCHOR_END: copy

// What it takes to start as many blocks, and nothing else.
extern "C" __global__ void nothing() {}
