// Gravity as in lab 14.4, from a table in constant memory of any length that is gone through again and again, so that tables of
// different lengths make the same work.

#define PASS 4096

__constant__ float4 bodies[PASS];

__device__ __forceinline__ void interact(float3 &a, float4 me, float4 other, float softening_squared) {
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening_squared);
    float pull = other.w * inverse * inverse * inverse;
    a.x += dx * pull;
    a.y += dy * pull;
    a.z += dz * pull;
}

__device__ __forceinline__ void pulled(float *acceleration, const float4 *from, float softening_squared, int i, int length,
                                       int rounds) {
    float4 me = from[i];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int round = 0; round < rounds; round++)
        for (int j = 0; j < length; j++) interact(a, me, bodies[j], softening_squared);
    acceleration[3 * i] = a.x;
    acceleration[3 * i + 1] = a.y;
    acceleration[3 * i + 2] = a.z;
}

// ANCHOR: flat
// A thread a body: the compiler can prove that all lanes are at the same j, and loads for the warp (ULDC).
extern "C" __global__ void uniform_loads(float *acceleration, const float4 *from, float softening_squared, int n, int length,
                                         int rounds) {
    pulled(acceleration, from, softening_squared, blockIdx.x * blockDim.x + threadIdx.x, length, rounds);
}
// ANCHOR_END: flat

// ANCHOR: loop
// With a loop around that may end earlier for some lanes: a load with an address for each lane (LDC).
extern "C" __global__ void loads_of_lanes(float *acceleration, const float4 *from, float softening_squared, int n, int length,
                                          int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        pulled(acceleration, from, softening_squared, i, length, rounds);
}
// ANCHOR_END: loop
