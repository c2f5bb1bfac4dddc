struct uchar1 { unsigned char x; };
struct alignas(2) uchar2 { unsigned char x, y; };
struct uchar3 { unsigned char x, y, z; };
struct alignas(4) uchar4 { unsigned char x, y, z, w; };
__device__ inline uchar1 make_uchar1(unsigned char x) { return {x}; }
__device__ inline uchar2 make_uchar2(unsigned char x, unsigned char y) { return {x, y}; }
__device__ inline uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) { return {x, y, z}; }
__device__ inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return {x, y, z, w}; }
