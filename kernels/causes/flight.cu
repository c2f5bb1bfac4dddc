// The sum of two vectors, with more or fewer bytes on their way in each thread before it waits for them.
//
// The vectors have a multiple of eight times as many elements as a block has threads, and the grid fits.

// ANCHOR: one
// One element a thread, as in lab 4.1.
extern "C" __global__ void one(const float *a, const float *b, float *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
// ANCHOR_END: one

// ANCHOR: in_turn
// Four elements a thread. `c` may overlap `a` and `b` for all the compiler knows, so it stores an element before it loads
// the next one.
extern "C" __global__ void four_in_turn(const float *a, const float *b, float *c) {
    int i = 4 * blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++, i += blockDim.x) c[i] = a[i] + b[i];
}
// ANCHOR_END: in_turn

// ANCHOR: at_once
// EACH elements a thread, which are a block apart, so that the lanes of a warp have neighbours. All of them are loaded
// before the first is used.
template <int EACH> __device__ __forceinline__ void at_once(const float *a, const float *b, float *c) {
    int i = EACH * blockIdx.x * blockDim.x + threadIdx.x;
    float x[EACH], y[EACH];
    for (int k = 0; k < EACH; k++) {
        x[k] = a[i + k * blockDim.x];
        y[k] = b[i + k * blockDim.x];
    }
    for (int k = 0; k < EACH; k++) c[i + k * blockDim.x] = x[k] + y[k];
}
// ANCHOR_END: at_once

extern "C" __global__ void two_at_once(const float *a, const float *b, float *c) { at_once<2>(a, b, c); }
extern "C" __global__ void four_at_once(const float *a, const float *b, float *c) { at_once<4>(a, b, c); }
extern "C" __global__ void eight_at_once(const float *a, const float *b, float *c) { at_once<8>(a, b, c); }

__device__ __forceinline__ float4 sum(float4 x, float4 y) {
    return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

// Four neighbours a thread, in loads of 16 bytes, as in lab 4.1.
extern "C" __global__ void wide(const float4 *a, const float4 *b, float4 *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = sum(a[i], b[i]);
}

// Twice that: two loads of 16 bytes from each vector before the first is used.
extern "C" __global__ void wide_two_at_once(const float4 *a, const float4 *b, float4 *c) {
    int i = 2 * blockIdx.x * blockDim.x + threadIdx.x, next = i + blockDim.x;
    float4 x = a[i], y = b[i], u = a[next], v = b[next];
    c[i] = sum(x, y);
    c[next] = sum(u, v);
}
