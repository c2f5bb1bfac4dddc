struct ushort1 { unsigned short x; };
struct alignas(4) ushort2 { unsigned short x, y; };
struct ushort3 { unsigned short x, y, z; };
struct alignas(8) ushort4 { unsigned short x, y, z, w; };
__device__ inline ushort1 make_ushort1(unsigned short x) { return {x}; }
__device__ inline ushort2 make_ushort2(unsigned short x, unsigned short y) { return {x, y}; }
__device__ inline ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) { return {x, y, z}; }
__device__ inline ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) { return {x, y, z, w}; }
