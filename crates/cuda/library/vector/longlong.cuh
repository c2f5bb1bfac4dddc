struct longlong1 { long long x; };
struct alignas(16) longlong2 { long long x, y; };
struct longlong3 { long long x, y, z; };
struct alignas(16) longlong4 { long long x, y, z, w; };
__device__ inline longlong1 make_longlong1(long long x) { return {x}; }
__device__ inline longlong2 make_longlong2(long long x, long long y) { return {x, y}; }
__device__ inline longlong3 make_longlong3(long long x, long long y, long long z) { return {x, y, z}; }
__device__ inline longlong4 make_longlong4(long long x, long long y, long long z, long long w) { return {x, y, z, w}; }
