// Vector types, as the CUDA C++ Programming Guide lists them, with their alignments.
#define VECTORS(T, N, A2, A4)                                                                                                   \
    struct N##1 { T x; };                                                                                                       \
    struct alignas(A2) N##2 { T x, y; };                                                                                        \
    struct N##3 { T x, y, z; };                                                                                                 \
    struct alignas(A4) N##4 { T x, y, z, w; };                                                                                  \
    __device__ inline N##1 make_##N##1(T x) { return {x}; }                                                                     \
    __device__ inline N##2 make_##N##2(T x, T y) { return {x, y}; }                                                             \
    __device__ inline N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; }                                                     \
    __device__ inline N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
VECTORS(signed char, char, 2, 4)
VECTORS(unsigned char, uchar, 2, 4)
VECTORS(short, short, 4, 8)
VECTORS(unsigned short, ushort, 4, 8)
VECTORS(int, int, 8, 16)
VECTORS(long, long, 16, 16)
VECTORS(unsigned long, ulong, 16, 16)
VECTORS(long long, longlong, 16, 16)
VECTORS(unsigned long long, ulonglong, 16, 16)
VECTORS(float, float, 8, 16)
VECTORS(double, double, 16, 16)
#undef VECTORS

// uint3 is with dim3.
struct uint1 { unsigned x; };
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
__device__ inline uint1 make_uint1(unsigned x) { return {x}; }
__device__ inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
__device__ inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
