// Elements of surfaces: how many bits, and how many words of a register each; a type for each such shape, by which overloads are
// chosen. PTX keeps bytes in registers of 16 bits.
enum __surfel_8 { __surfel_8_zero };
enum __surfel_8x2 { __surfel_8x2_zero };
enum __surfel_8x4 { __surfel_8x4_zero };
enum __surfel_16 { __surfel_16_zero };
enum __surfel_16x2 { __surfel_16x2_zero };
enum __surfel_16x4 { __surfel_16x4_zero };
enum __surfel_32 { __surfel_32_zero };
enum __surfel_32x2 { __surfel_32x2_zero };
enum __surfel_32x4 { __surfel_32x4_zero };
enum __surfel_64 { __surfel_64_zero };
enum __surfel_64x2 { __surfel_64x2_zero };

__device__ inline float __surfel_value(float, unsigned bits) { return __uint_as_float(bits); }
__device__ inline unsigned __surfel_bits(float v) { return __float_as_uint(v); }
#define BITS(E, W)                                                                                                              \
    __device__ inline E __surfel_value(E, W bits) { return (E)bits; }                                                           \
    __device__ inline W __surfel_bits(E v) { return (W)v; }
BITS(char, unsigned short)
BITS(signed char, unsigned short)
BITS(unsigned char, unsigned short)
BITS(short, unsigned short)
BITS(unsigned short, unsigned short)
BITS(int, unsigned)
BITS(unsigned, unsigned)
BITS(long long, unsigned long long)
BITS(unsigned long long, unsigned long long)
#undef BITS

template <class T> struct __surfel;
#define ONE(T, SHAPE, W)                                                                                                        \
    template <> struct __surfel<T> {                                                                                            \
        using shape = SHAPE;                                                                                                    \
        using word = W;                                                                                                         \
        static __device__ T of(const W *w) { return __surfel_value((T)0, w[0]); }                                               \
        static __device__ void words(T v, W *w) { w[0] = __surfel_bits(v); }                                                    \
    };
#define TWO(T, E, SHAPE, W)                                                                                                     \
    template <> struct __surfel<T##1> {                                                                                         \
        using shape = SHAPE;                                                                                                    \
        using word = W;                                                                                                         \
        static __device__ T##1 of(const W *w) { return make_##T##1(__surfel_value((E)0, w[0])); }                               \
        static __device__ void words(T##1 v, W *w) { w[0] = __surfel_bits(v.x); }                                               \
    };                                                                                                                          \
    template <> struct __surfel<T##2> {                                                                                         \
        typedef SHAPE##x2 shape;                                                                                                \
        using word = W;                                                                                                         \
        static __device__ T##2 of(const W *w)                                                                                   \
        {                                                                                                                       \
            return make_##T##2(__surfel_value((E)0, w[0]), __surfel_value((E)0, w[1]));                                         \
        }                                                                                                                       \
        static __device__ void words(T##2 v, W *w)                                                                              \
        {                                                                                                                       \
            w[0] = __surfel_bits(v.x);                                                                                          \
            w[1] = __surfel_bits(v.y);                                                                                          \
        }                                                                                                                       \
    };
#define FOUR(T, E, SHAPE, W)                                                                                                    \
    TWO(T, E, SHAPE, W)                                                                                                         \
    template <> struct __surfel<T##4> {                                                                                         \
        typedef SHAPE##x4 shape;                                                                                                \
        using word = W;                                                                                                         \
        static __device__ T##4 of(const W *w)                                                                                   \
        {                                                                                                                       \
            return make_##T##4(__surfel_value((E)0, w[0]), __surfel_value((E)0, w[1]), __surfel_value((E)0, w[2]),              \
                               __surfel_value((E)0, w[3]));                                                                     \
        }                                                                                                                       \
        static __device__ void words(T##4 v, W *w)                                                                              \
        {                                                                                                                       \
            w[0] = __surfel_bits(v.x);                                                                                          \
            w[1] = __surfel_bits(v.y);                                                                                          \
            w[2] = __surfel_bits(v.z);                                                                                          \
            w[3] = __surfel_bits(v.w);                                                                                          \
        }                                                                                                                       \
    };
ONE(char, __surfel_8, unsigned short)
ONE(signed char, __surfel_8, unsigned short)
ONE(unsigned char, __surfel_8, unsigned short)
ONE(short, __surfel_16, unsigned short)
ONE(unsigned short, __surfel_16, unsigned short)
ONE(int, __surfel_32, unsigned)
ONE(unsigned, __surfel_32, unsigned)
ONE(float, __surfel_32, unsigned)
ONE(long long, __surfel_64, unsigned long long)
ONE(unsigned long long, __surfel_64, unsigned long long)
FOUR(char, signed char, __surfel_8, unsigned short)
FOUR(uchar, unsigned char, __surfel_8, unsigned short)
FOUR(short, short, __surfel_16, unsigned short)
FOUR(ushort, unsigned short, __surfel_16, unsigned short)
FOUR(int, int, __surfel_32, unsigned)
FOUR(uint, unsigned, __surfel_32, unsigned)
FOUR(float, float, __surfel_32, unsigned)
TWO(longlong, long long, __surfel_64, unsigned long long)
TWO(ulonglong, unsigned long long, __surfel_64, unsigned long long)
#undef FOUR
#undef TWO
#undef ONE
