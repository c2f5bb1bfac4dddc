// Surface objects: bytes of an array, x in bytes. What lies beyond is by the mode an error, the nearest texel, or zero.
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

// How a type is read and written: bits of an element, and a vector of such elements.
template <int BITS> struct __surface_bits {};
template <class T> struct __surfel;
#define ROW(T, BITS, CARRIER, FROM, TO)                                                                                         \
    template <> struct __surfel<T> {                                                                                            \
        typedef T __type;                                                                                                       \
        typedef CARRIER __carrier;                                                                                              \
        typedef __surface_bits<BITS> __bits;                                                                                    \
        __device__ static inline T __from(const CARRIER &v) { return FROM; }                                                    \
        __device__ static inline CARRIER __to(const T &v) { return TO; }                                                        \
    };
#define ROWS2(T, V, BITS, C, FROM, TO)                                                                                          \
    ROW(T, BITS, C##1, FROM(v.x), make_##C##1(TO(v)))                                                                           \
    ROW(V##1, BITS, C##1, make_##V##1(FROM(v.x)), make_##C##1(TO(v.x)))                                                         \
    ROW(V##2, BITS, C##2, make_##V##2(FROM(v.x), FROM(v.y)), make_##C##2(TO(v.x), TO(v.y)))
#define ROWS4(T, V, BITS, C, FROM, TO)                                                                                          \
    ROWS2(T, V, BITS, C, FROM, TO)                                                                                              \
    ROW(V##4, BITS, C##4, make_##V##4(FROM(v.x), FROM(v.y), FROM(v.z), FROM(v.w)),                                              \
        make_##C##4(TO(v.x), TO(v.y), TO(v.z), TO(v.w)))
ROWS4(char, char, 8, ushort, (char), (unsigned short))
ROW(signed char, 8, ushort1, (signed char)v.x, make_ushort1((unsigned short)v))
ROWS4(unsigned char, uchar, 8, ushort, (unsigned char), (unsigned short))
ROWS4(short, short, 16, ushort, (short), (unsigned short))
ROWS4(unsigned short, ushort, 16, ushort, (unsigned short), (unsigned short))
ROWS4(int, int, 32, uint, (int), (unsigned))
ROWS4(unsigned, uint, 32, uint, (unsigned), (unsigned))
ROWS4(float, float, 32, uint, __uint_as_float, __float_as_uint)
ROWS2(long long, longlong, 64, ulonglong, (long long), (unsigned long long))
ROWS2(unsigned long long, ulonglong, 64, ulonglong, (unsigned long long), (unsigned long long))
#undef ROWS4
#undef ROWS2
#undef ROW

// PARAMS, ARGS and INPUTS come in parentheses. Elements are the first operands, whether they are read or written.
#define UNWRAP(...) __VA_ARGS__
#define MODES(BEFORE, AFTER, ...)                                                                                               \
    switch (mode) {                                                                                                             \
    case cudaBoundaryModeZero: asm volatile(BEFORE ".zero " AFTER ";" : __VA_ARGS__); break;                                    \
    case cudaBoundaryModeClamp: asm volatile(BEFORE ".clamp " AFTER ";" : __VA_ARGS__); break;                                  \
    default: asm volatile(BEFORE ".trap " AFTER ";" : __VA_ARGS__);                                                             \
    }
#define BOTH(NAME, HEAD, AT, PARAMS, INPUTS, BITS, V, ELEMENTS, OUTPUTS, DATA)                                                  \
    __device__ inline void __##NAME##_read(__surface_bits<BITS>, V &v, cudaSurfaceObject_t s, UNWRAP PARAMS, int mode)          \
    {                                                                                                                           \
        MODES("suld.b." HEAD, ELEMENTS ", " AT, UNWRAP OUTPUTS : "l"(s), UNWRAP INPUTS : "memory")                              \
    }                                                                                                                           \
    __device__ inline void __##NAME##_write(__surface_bits<BITS>, const V &v, cudaSurfaceObject_t s, UNWRAP PARAMS, int mode)   \
    {                                                                                                                           \
        MODES("sust.b." HEAD, AT ", " ELEMENTS, : UNWRAP DATA, "l"(s), UNWRAP INPUTS : "memory")                                \
    }
#define WIDTH2(NAME, SHAPE, AT1, AT2, PARAMS, INPUTS, BITS, TY, V, C)                                                           \
    BOTH(NAME, SHAPE "." TY, AT1, PARAMS, INPUTS, BITS, V##1, "{%0}", ("=" C(v.x)), (C(v.x)))                                   \
    BOTH(NAME, SHAPE ".v2." TY, AT2, PARAMS, INPUTS, BITS, V##2, "{%0, %1}", ("=" C(v.x), "=" C(v.y)), (C(v.x), C(v.y)))
#define WIDTH4(NAME, SHAPE, AT1, AT2, AT4, PARAMS, INPUTS, BITS, TY, V, C)                                                      \
    WIDTH2(NAME, SHAPE, AT1, AT2, PARAMS, INPUTS, BITS, TY, V, C)                                                               \
    BOTH(NAME, SHAPE ".v4." TY, AT4, PARAMS, INPUTS, BITS, V##4, "{%0, %1, %2, %3}",                                            \
         ("=" C(v.x), "=" C(v.y), "=" C(v.z), "=" C(v.w)), (C(v.x), C(v.y), C(v.z), C(v.w)))
#define SURFACE(NAME, SHAPE, AT1, AT2, AT4, PARAMS, ARGS, INPUTS)                                                               \
    WIDTH4(NAME, SHAPE, AT1, AT2, AT4, PARAMS, INPUTS, 8, "b8", ushort, "h")                                                    \
    WIDTH4(NAME, SHAPE, AT1, AT2, AT4, PARAMS, INPUTS, 16, "b16", ushort, "h")                                                  \
    WIDTH4(NAME, SHAPE, AT1, AT2, AT4, PARAMS, INPUTS, 32, "b32", uint, "r")                                                    \
    WIDTH2(NAME, SHAPE, AT1, AT2, PARAMS, INPUTS, 64, "b64", ulonglong, "l")                                                    \
    template <class T> __device__ inline typename __surfel<T>::__type NAME##read(                                               \
        cudaSurfaceObject_t s, UNWRAP PARAMS, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                              \
    {                                                                                                                           \
        typename __surfel<T>::__carrier v;                                                                                      \
        typename __surfel<T>::__bits bits;                                                                                      \
        __##NAME##_read(bits, v, s, UNWRAP ARGS, mode);                                                                         \
        return __surfel<T>::__from(v);                                                                                          \
    }                                                                                                                           \
    template <class T> __device__ inline void NAME##read(                                                                       \
        T *to, cudaSurfaceObject_t s, UNWRAP PARAMS, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                       \
    {                                                                                                                           \
        *to = NAME##read<T>(s, UNWRAP ARGS, mode);                                                                              \
    }                                                                                                                           \
    template <class T> __device__ inline void NAME##write(                                                                      \
        T v, cudaSurfaceObject_t s, UNWRAP PARAMS, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                         \
    {                                                                                                                           \
        typename __surfel<T>::__bits bits;                                                                                      \
        __##NAME##_write(bits, __surfel<T>::__to(v), s, UNWRAP ARGS, mode);                                                     \
    }

SURFACE(surf1D, "1d", "[%1, {%2}]", "[%2, {%3}]", "[%4, {%5}]", (int x), (x), ("r"(x)))
SURFACE(surf2D, "2d", "[%1, {%2, %3}]", "[%2, {%3, %4}]", "[%4, {%5, %6}]", (int x, int y), (x, y), ("r"(x), "r"(y)))
SURFACE(surf3D, "3d", "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]", (int x, int y, int z), (x, y, z),
        ("r"(x), "r"(y), "r"(z)))
SURFACE(surf1DLayered, "a1d", "[%1, {%2, %3}]", "[%2, {%3, %4}]", "[%4, {%5, %6}]", (int x, int layer), (x, layer),
        ("r"(layer), "r"(x)))
SURFACE(surf2DLayered, "a2d", "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]",
        (int x, int y, int layer), (x, y, layer), ("r"(layer), "r"(x), "r"(y)))
// A face of a cube is a layer.
SURFACE(surfCubemap, "a2d", "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]", (int x, int y, int face),
        (x, y, face), ("r"(face), "r"(x), "r"(y)))
SURFACE(surfCubemapLayered, "a2d", "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]",
        (int x, int y, int face), (x, y, face), ("r"(face), "r"(x), "r"(y)))
#undef SURFACE
#undef WIDTH4
#undef WIDTH2
#undef BOTH
#undef MODES
#undef UNWRAP
