struct ulonglong1 { unsigned long long x; };
struct alignas(16) ulonglong2 { unsigned long long x, y; };
struct ulonglong3 { unsigned long long x, y, z; };
struct alignas(16) ulonglong4 { unsigned long long x, y, z, w; };
__device__ inline ulonglong1 make_ulonglong1(unsigned long long x) { return {x}; }
__device__ inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }
__device__ inline ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y, unsigned long long z) { return {x, y, z}; }
__device__ inline ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y, unsigned long long z, unsigned long long w) { return {x, y, z, w}; }
