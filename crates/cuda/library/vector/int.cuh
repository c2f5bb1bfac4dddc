struct int1 { int x; };
struct alignas(8) int2 { int x, y; };
struct int3 { int x, y, z; };
struct alignas(16) int4 { int x, y, z, w; };
__device__ inline int1 make_int1(int x) { return {x}; }
__device__ inline int2 make_int2(int x, int y) { return {x, y}; }
__device__ inline int3 make_int3(int x, int y, int z) { return {x, y, z}; }
__device__ inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
