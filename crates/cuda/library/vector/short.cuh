struct short1 { short x; };
struct alignas(4) short2 { short x, y; };
struct short3 { short x, y, z; };
struct alignas(8) short4 { short x, y, z, w; };
__device__ inline short1 make_short1(short x) { return {x}; }
__device__ inline short2 make_short2(short x, short y) { return {x, y}; }
__device__ inline short3 make_short3(short x, short y, short z) { return {x, y, z}; }
__device__ inline short4 make_short4(short x, short y, short z, short w) { return {x, y, z, w}; }
