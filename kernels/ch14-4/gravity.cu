// Gravity: the pull of all bodies on all bodies, n² interactions.
//
// A body is a float4: its place, and in w its mass (times the constant of gravity). softening_squared, at least
// 1e-30, keeps two bodies at one place from infinity, and a body from itself. Every kernel writes the acceleration of
// all n bodies as three floats a body. They differ in where the inner loop, in which all threads look at the same
// body, finds it: global memory, shared memory, or constant memory, which holds no more than PASS of them, so that the
// host calls those kernels once a pass and they add to what the passes before have left.

#define PASS 4096 // 4096 bodies of 16 bytes are 64 KiB, all the constant memory that a module can have
#define TILE 256  // bodies that a block has in shared memory, and its threads

// ANCHOR: declaration
__constant__ float4 pass_bodies[PASS];
// ANCHOR_END: declaration

// ANCHOR: interaction
__device__ __forceinline__ void interact(float3 &a, float4 me, float4 other, float softening_squared) {
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening_squared);
    float pull = other.w * inverse * inverse * inverse;
    a.x += dx * pull;
    a.y += dy * pull;
    a.z += dz * pull;
}
// ANCHOR_END: interaction

__device__ __forceinline__ void store(float *acceleration, int i, float3 a) {
    acceleration[3 * i] = a.x;
    acceleration[3 * i + 1] = a.y;
    acceleration[3 * i + 2] = a.z;
}

// The first pass writes, the later ones add.
__device__ __forceinline__ void add(float *acceleration, int i, float3 a, int first) {
    if (!first) {
        a.x += acceleration[3 * i];
        a.y += acceleration[3 * i + 1];
        a.z += acceleration[3 * i + 2];
    }
    store(acceleration, i, a);
}

// ANCHOR: global
extern "C" __global__ void gravity_global(float *acceleration, const float4 *bodies, float softening_squared, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = bodies[i];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) interact(a, me, bodies[j], softening_squared);
    store(acceleration, i, a);
}
// ANCHOR_END: global

// ANCHOR: shared
// For blocks of TILE threads.
extern "C" __global__ void gravity_shared(float *acceleration, const float4 *bodies, float softening_squared, int n) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = bodies[min(i, n - 1)];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        // Beyond the last body stands one without mass, which pulls at nothing.
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int k = 0; k < TILE; k++) interact(a, me, tile[k], softening_squared);
        __syncthreads();
    }
    if (i < n) store(acceleration, i, a);
}
// ANCHOR_END: shared

// ANCHOR: constant
// `in_pass` bodies are in constant memory; any grid will do.
extern "C" __global__ void gravity_constant(float *acceleration, const float4 *bodies, float softening_squared, int n,
                                            int in_pass, int first) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float4 me = bodies[i];
        float3 a = make_float3(0.0f, 0.0f, 0.0f);
        for (int j = 0; j < in_pass; j++) interact(a, me, pass_bodies[j], softening_squared);
        add(acceleration, i, a, first);
    }
}
// ANCHOR_END: constant

// ANCHOR: flat
// The same without the loop over i: a thread a body.
extern "C" __global__ void gravity_constant_flat(float *acceleration, const float4 *bodies, float softening_squared,
                                                 int n, int in_pass, int first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = bodies[min(i, n - 1)];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < in_pass; j++) interact(a, me, pass_bodies[j], softening_squared);
    if (i < n) add(acceleration, i, a, first);
}
// ANCHOR_END: flat

// ANCHOR: lean
// Fewer instructions for the same: the softening begins the sum, and with .ftz the square root takes a subnormal number
// for zero, so that nothing need be scaled before it and back after it.
__device__ __forceinline__ void interact_lean(float3 &a, float4 me, float4 other, float softening_squared) {
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float r2 = fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening_squared)));
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(r2));
    float pull = other.w * inverse * inverse * inverse;
    a.x = fmaf(dx, pull, a.x);
    a.y = fmaf(dy, pull, a.y);
    a.z = fmaf(dz, pull, a.z);
}
// ANCHOR_END: lean

// ANCHOR: several
// Each thread computes the acceleration of EACH bodies, blockDim.x apart: one load of a body serves EACH interactions.
template <int EACH>
__device__ __forceinline__ void several_constant(float *acceleration, const float4 *bodies, float softening_squared,
                                                 int n, int in_pass, int first) {
    int of_block = blockDim.x * EACH;
    for (int i = blockIdx.x * of_block + threadIdx.x; i < n; i += gridDim.x * of_block) {
        float4 me[EACH];
        float3 a[EACH];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            me[e] = bodies[min(i + e * (int)blockDim.x, n - 1)];
            a[e] = make_float3(0.0f, 0.0f, 0.0f);
        }
        for (int j = 0; j < in_pass; j++) {
            float4 other = pass_bodies[j];
#pragma unroll
            for (int e = 0; e < EACH; e++) interact_lean(a[e], me[e], other, softening_squared);
        }
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            int at = i + e * (int)blockDim.x;
            if (at < n) add(acceleration, at, a[e], first);
        }
    }
}
// ANCHOR_END: several

// ANCHOR: several_shared
template <int EACH>
__device__ __forceinline__ void several_shared(float *acceleration, const float4 *bodies, float softening_squared, int n) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE * EACH + threadIdx.x;
    float4 me[EACH];
    float3 a[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        me[e] = bodies[min(i + e * TILE, n - 1)];
        a[e] = make_float3(0.0f, 0.0f, 0.0f);
    }
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float4 other = tile[k];
#pragma unroll
            for (int e = 0; e < EACH; e++) interact_lean(a[e], me[e], other, softening_squared);
        }
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        int at = i + e * TILE;
        if (at < n) store(acceleration, at, a[e]);
    }
}

// ANCHOR_END: several_shared

#define SEVERAL(EACH)                                                                                                  \
    extern "C" __global__ void gravity_constant_##EACH(float *acceleration, const float4 *bodies,                      \
                                                       float softening_squared, int n, int in_pass, int first) {       \
        several_constant<EACH>(acceleration, bodies, softening_squared, n, in_pass, first);                            \
    }                                                                                                                  \
    extern "C" __global__ void gravity_shared_##EACH(float *acceleration, const float4 *bodies,                        \
                                                     float softening_squared, int n) {                                 \
        several_shared<EACH>(acceleration, bodies, softening_squared, n);                                              \
    }
SEVERAL(1)
SEVERAL(2)
SEVERAL(4)

// ANCHOR: leapfrog
// One step of a leapfrog integration is kick, drift, (accelerations anew,) kick: velocities by half a step's pull,
// places by a whole step's velocity.
extern "C" __global__ void kick(float *velocity, const float *acceleration, float half_step, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 * n) velocity[i] += half_step * acceleration[i];
}

extern "C" __global__ void drift(float4 *bodies, const float *velocity, float step, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 body = bodies[i];
    body.x += step * velocity[3 * i];
    body.y += step * velocity[3 * i + 1];
    body.z += step * velocity[3 * i + 2];
    bodies[i] = body;
}
// ANCHOR_END: leapfrog
