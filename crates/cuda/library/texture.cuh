// Texture objects. A fetch gives four components, of which a type takes the first; what it reads may change between launches only,
// but a handle may be none where the fetch is not executed, so nothing moves a fetch: it is volatile.
typedef unsigned long long cudaTextureObject_t;

// What a type that is fetched makes of the four components, and which type these have.
template <class T> struct __texel;
#define ROW(T, F, VALUE)                                                                                                        \
    template <> struct __texel<T> {                                                                                             \
        typedef T __type;                                                                                                       \
        typedef F __four;                                                                                                       \
        __device__ static inline T __of(const F &v) { return VALUE; }                                                           \
    };
#define ROWS(T, V, F)                                                                                                           \
    ROW(T, F, (T)v.x)                                                                                                           \
    ROW(V##1, F, make_##V##1((T)v.x))                                                                                           \
    ROW(V##2, F, make_##V##2((T)v.x, (T)v.y))                                                                                   \
    ROW(V##4, F, make_##V##4((T)v.x, (T)v.y, (T)v.z, (T)v.w))
ROWS(char, char, int4)
ROW(signed char, int4, (signed char)v.x)
ROWS(unsigned char, uchar, uint4)
ROWS(short, short, int4)
ROWS(unsigned short, ushort, uint4)
ROWS(int, int, int4)
ROWS(unsigned, uint, uint4)
ROWS(float, float, float4)
#undef ROWS
#undef ROW

// A function for each type of the components, and those that sources call. PARAMS and ARGS come in parentheses.
#define UNWRAP(...) __VA_ARGS__
#define FOUR(NAME, F, TY, C, HEAD, TAIL, PARAMS, INPUTS)                                                                        \
    __device__ inline void __##NAME(F &v, cudaTextureObject_t t, UNWRAP PARAMS)                                                 \
    {                                                                                                                           \
        asm volatile(HEAD ".v4." TY TAIL ";" : C(v.x), C(v.y), C(v.z), C(v.w) : "l"(t), UNWRAP INPUTS);                         \
    }
#define FETCH(NAME, HEAD, TAIL, PARAMS, ARGS, INPUTS)                                                                           \
    FOUR(NAME, float4, "f32", "=f", HEAD, TAIL, PARAMS, INPUTS)                                                                 \
    FOUR(NAME, int4, "s32", "=r", HEAD, TAIL, PARAMS, INPUTS)                                                                   \
    FOUR(NAME, uint4, "u32", "=r", HEAD, TAIL, PARAMS, INPUTS)                                                                  \
    template <class T> __device__ inline typename __texel<T>::__type NAME(cudaTextureObject_t t, UNWRAP PARAMS)                 \
    {                                                                                                                           \
        typename __texel<T>::__four v;                                                                                          \
        __##NAME(v, t, UNWRAP ARGS);                                                                                            \
        return __texel<T>::__of(v);                                                                                             \
    }                                                                                                                           \
    template <class T> __device__ inline void NAME(T *to, cudaTextureObject_t t, UNWRAP PARAMS) { *to = NAME<T>(t, UNWRAP ARGS); }
#define OUT "{%0, %1, %2, %3}, "
// The same place at the first level, at a level, and between gradients. N is the number of the next operand.
#define PLACES(NAME, SHAPE, AT, PARAMS, ARGS, INPUTS, N, V, PAIR1, PAIR2, GRADIENTS)                                            \
    FETCH(NAME, "tex." SHAPE, ".f32 " OUT AT, (UNWRAP PARAMS), (UNWRAP ARGS), (UNWRAP INPUTS))                                  \
    FETCH(NAME##Lod, "tex.level." SHAPE, ".f32 " OUT AT ", %" N, (UNWRAP PARAMS, float level), (UNWRAP ARGS, level),            \
          (UNWRAP INPUTS, "f"(level)))                                                                                          \
    FETCH(NAME##Grad, "tex.grad." SHAPE, ".f32 " OUT AT ", " PAIR1 ", " PAIR2, (UNWRAP PARAMS, V dx, V dy),                     \
          (UNWRAP ARGS, dx, dy), (UNWRAP INPUTS, UNWRAP GRADIENTS))
#define GRADIENTS1 ("f"(dx), "f"(dy))
#define GRADIENTS2 ("f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
#define GRADIENTS3 ("f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))

FETCH(tex1Dfetch, "tex.1d", ".s32 " OUT "[%4, {%5}]", (int x), (x), ("r"(x)))
PLACES(tex1D, "1d", "[%4, {%5}]", (float x), (x), ("f"(x)), "6", float, "{%6}", "{%7}", GRADIENTS1)
PLACES(tex2D, "2d", "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)), "7", float2, "{%7, %8}", "{%9, %10}", GRADIENTS2)
PLACES(tex3D, "3d", "[%4, {%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)), "8", float4,
       "{%8, %9, %10, %10}", "{%11, %12, %13, %13}", GRADIENTS3)
PLACES(tex1DLayered, "a1d", "[%4, {%5, %6}]", (float x, int layer), (x, layer), ("r"(layer), "f"(x)), "7", float, "{%7}", "{%8}",
       GRADIENTS1)
PLACES(tex2DLayered, "a2d", "[%4, {%5, %6, %7, %7}]", (float x, float y, int layer), (x, y, layer),
       ("r"(layer), "f"(x), "f"(y)), "8", float2, "{%8, %9}", "{%10, %11}", GRADIENTS2)
PLACES(texCubemap, "cube", "[%4, {%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)), "8", float4,
       "{%8, %9, %10, %10}", "{%11, %12, %13, %13}", GRADIENTS3)
PLACES(texCubemapLayered, "acube", "[%4, {%5, %6, %7, %8}]", (float x, float y, float z, int layer), (x, y, z, layer),
       ("r"(layer), "f"(x), "f"(y), "f"(z)), "9", float4, "{%9, %10, %11, %11}", "{%12, %13, %14, %14}", GRADIENTS3)
#undef PLACES
#undef GRADIENTS1
#undef GRADIENTS2
#undef GRADIENTS3

// One component of the four texels that a bilinear fetch would take.
FETCH(__gather_x, "tld4.r.2d", ".f32 " OUT "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
FETCH(__gather_y, "tld4.g.2d", ".f32 " OUT "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
FETCH(__gather_z, "tld4.b.2d", ".f32 " OUT "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
FETCH(__gather_w, "tld4.a.2d", ".f32 " OUT "[%4, {%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
template <class T> __device__ inline typename __texel<T>::__type tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0)
{
    switch (component) {
    case 1: return __gather_y<T>(t, x, y);
    case 2: return __gather_z<T>(t, x, y);
    case 3: return __gather_w<T>(t, x, y);
    default: return __gather_x<T>(t, x, y);
    }
}
#undef OUT
#undef FETCH
#undef FOUR
#undef UNWRAP
