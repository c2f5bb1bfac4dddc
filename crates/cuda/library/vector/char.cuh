struct char1 { signed char x; };
struct alignas(2) char2 { signed char x, y; };
struct char3 { signed char x, y, z; };
struct alignas(4) char4 { signed char x, y, z, w; };
__device__ inline char1 make_char1(signed char x) { return {x}; }
__device__ inline char2 make_char2(signed char x, signed char y) { return {x, y}; }
__device__ inline char3 make_char3(signed char x, signed char y, signed char z) { return {x, y, z}; }
__device__ inline char4 make_char4(signed char x, signed char y, signed char z, signed char w) { return {x, y, z, w}; }
