struct long1 { long x; };
struct alignas(16) long2 { long x, y; };
struct long3 { long x, y, z; };
struct alignas(16) long4 { long x, y, z, w; };
__device__ inline long1 make_long1(long x) { return {x}; }
__device__ inline long2 make_long2(long x, long y) { return {x, y}; }
__device__ inline long3 make_long3(long x, long y, long z) { return {x, y, z}; }
__device__ inline long4 make_long4(long x, long y, long z, long w) { return {x, y, z, w}; }
