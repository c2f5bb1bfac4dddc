// uint3 is with dim3.
struct uint1 { unsigned x; };
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
__device__ inline uint1 make_uint1(unsigned x) { return {x}; }
__device__ inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
__device__ inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
