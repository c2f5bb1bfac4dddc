struct ulong1 { unsigned long x; };
struct alignas(16) ulong2 { unsigned long x, y; };
struct ulong3 { unsigned long x, y, z; };
struct alignas(16) ulong4 { unsigned long x, y, z, w; };
__device__ inline ulong1 make_ulong1(unsigned long x) { return {x}; }
__device__ inline ulong2 make_ulong2(unsigned long x, unsigned long y) { return {x, y}; }
__device__ inline ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) { return {x, y, z}; }
__device__ inline ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w) { return {x, y, z, w}; }
