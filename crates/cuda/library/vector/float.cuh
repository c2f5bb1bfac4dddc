struct float1 { float x; };
struct alignas(8) float2 { float x, y; };
struct float3 { float x, y, z; };
struct alignas(16) float4 { float x, y, z, w; };
__device__ inline float1 make_float1(float x) { return {x}; }
__device__ inline float2 make_float2(float x, float y) { return {x, y}; }
__device__ inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
__device__ inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
