// Textures by handle. The four words of a texel come as floats, signed or unsigned integers, by the type that the caller asks
// for; a caller that asks for fewer gets the first ones. A layer's number and the level are PTX's operands; what PTX wants as
// a fourth coordinate it does not read.
// (The kinds are types, by which overloads are chosen.)
enum __texel_float { __as_float };
enum __texel_signed { __as_signed };
enum __texel_unsigned { __as_unsigned };

template <class T> struct __texel;
#define TEXEL(T, KIND, V, ...)                                                                                                  \
    template <> struct __texel<T> {                                                                                             \
        typedef KIND kind;                                                                                                      \
        static __device__ T of(V v) { return __VA_ARGS__; }                                                                     \
    };
#define TEXELS(T, E, KIND, V)                                                                                                   \
    TEXEL(T##1, KIND, V, make_##T##1((E)v.x))                                                                                   \
    TEXEL(T##2, KIND, V, make_##T##2((E)v.x, (E)v.y))                                                                           \
    TEXEL(T##4, KIND, V, make_##T##4((E)v.x, (E)v.y, (E)v.z, (E)v.w))
TEXEL(char, __texel_signed, int4, (char)v.x)
TEXEL(signed char, __texel_signed, int4, (signed char)v.x)
TEXEL(unsigned char, __texel_unsigned, uint4, (unsigned char)v.x)
TEXEL(short, __texel_signed, int4, (short)v.x)
TEXEL(unsigned short, __texel_unsigned, uint4, (unsigned short)v.x)
TEXEL(int, __texel_signed, int4, v.x)
TEXEL(unsigned, __texel_unsigned, uint4, v.x)
TEXEL(float, __texel_float, float4, v.x)
TEXELS(char, signed char, __texel_signed, int4)
TEXELS(uchar, unsigned char, __texel_unsigned, uint4)
TEXELS(short, short, __texel_signed, int4)
TEXELS(ushort, unsigned short, __texel_unsigned, uint4)
TEXELS(int, int, __texel_signed, int4)
TEXELS(uint, unsigned, __texel_unsigned, uint4)
TEXELS(float, float, __texel_float, float4)
#undef TEXELS
#undef TEXEL

// What stands for several arguments of a macro.
#define LIST(...) __VA_ARGS__
#define FETCH(NAME, KIND, V, R, PTX, PLACE, PARAMETERS, ...)                                                                    \
    __device__ inline V NAME(KIND, unsigned long long texture, LIST PARAMETERS)                                                 \
    {                                                                                                                           \
        V v;                                                                                                                    \
        asm(PTX " {%0, %1, %2, %3}, [%4, " PLACE ";" : R(v.x), R(v.y), R(v.z), R(v.w) : "l"(texture), __VA_ARGS__);             \
        return v;                                                                                                               \
    }
// The three kinds of a fetch, and what programs call. PTX is OP, the texel's type and COORDINATE.
#define TEXTURE(NAME, OP, COORDINATE, PLACE, PARAMETERS, ARGUMENTS, ...)                                                        \
    FETCH(__##NAME, __texel_float, float4, "=f", OP ".v4.f32" COORDINATE, PLACE, PARAMETERS, __VA_ARGS__)                       \
    FETCH(__##NAME, __texel_signed, int4, "=r", OP ".v4.s32" COORDINATE, PLACE, PARAMETERS, __VA_ARGS__)                        \
    FETCH(__##NAME, __texel_unsigned, uint4, "=r", OP ".v4.u32" COORDINATE, PLACE, PARAMETERS, __VA_ARGS__)                     \
    template <class T> __device__ inline T NAME(cudaTextureObject_t texture, LIST PARAMETERS)                                   \
    {                                                                                                                           \
        return __texel<T>::of(__##NAME((typename __texel<T>::kind)0, texture, LIST ARGUMENTS));                                 \
    }                                                                                                                           \
    template <class T> __device__ inline void NAME(T *found, cudaTextureObject_t texture, LIST PARAMETERS)                      \
    {                                                                                                                           \
        *found = NAME<T>(texture, LIST ARGUMENTS);                                                                              \
    }

TEXTURE(tex1Dfetch, "tex.1d", ".s32", "{%5}]", (int x), (x), "r"(x))
TEXTURE(tex1D, "tex.1d", ".f32", "{%5}]", (float x), (x), "f"(x))
TEXTURE(tex1DLod, "tex.level.1d", ".f32", "{%5}], %6", (float x, float level), (x, level), "f"(x), "f"(level))
TEXTURE(tex1DGrad, "tex.grad.1d", ".f32", "{%5}], {%6}, {%7}", (float x, float dx, float dy), (x, dx, dy),
        "f"(x), "f"(dx), "f"(dy))
TEXTURE(tex1DLayered, "tex.a1d", ".f32", "{%5, %6}]", (float x, int layer), (x, layer), "r"(layer), "f"(x))
TEXTURE(tex1DLayeredLod, "tex.level.a1d", ".f32", "{%5, %6}], %7", (float x, int layer, float level), (x, layer, level),
        "r"(layer), "f"(x), "f"(level))
TEXTURE(tex1DLayeredGrad, "tex.grad.a1d", ".f32", "{%5, %6}], {%7}, {%8}", (float x, int layer, float dx, float dy),
        (x, layer, dx, dy), "r"(layer), "f"(x), "f"(dx), "f"(dy))
TEXTURE(tex2D, "tex.2d", ".f32", "{%5, %6}]", (float x, float y), (x, y), "f"(x), "f"(y))
TEXTURE(tex2DLod, "tex.level.2d", ".f32", "{%5, %6}], %7", (float x, float y, float level), (x, y, level),
        "f"(x), "f"(y), "f"(level))
TEXTURE(tex2DGrad, "tex.grad.2d", ".f32", "{%5, %6}], {%7, %8}, {%9, %10}", (float x, float y, float2 dx, float2 dy),
        (x, y, dx, dy), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
TEXTURE(tex2DLayered, "tex.a2d", ".f32", "{%5, %6, %7, %7}]", (float x, float y, int layer), (x, y, layer),
        "r"(layer), "f"(x), "f"(y))
TEXTURE(tex2DLayeredLod, "tex.level.a2d", ".f32", "{%5, %6, %7, %7}], %8", (float x, float y, int layer, float level),
        (x, y, layer, level), "r"(layer), "f"(x), "f"(y), "f"(level))
TEXTURE(tex2DLayeredGrad, "tex.grad.a2d", ".f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
        (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
        "r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
TEXTURE(tex3D, "tex.3d", ".f32", "{%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z), "f"(x), "f"(y), "f"(z))
TEXTURE(tex3DLod, "tex.level.3d", ".f32", "{%5, %6, %7, %7}], %8", (float x, float y, float z, float level), (x, y, z, level),
        "f"(x), "f"(y), "f"(z), "f"(level))
TEXTURE(tex3DGrad, "tex.grad.3d", ".f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
        (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
        "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
TEXTURE(texCubemap, "tex.cube", ".f32", "{%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z), "f"(x), "f"(y), "f"(z))
TEXTURE(texCubemapLod, "tex.level.cube", ".f32", "{%5, %6, %7, %7}], %8", (float x, float y, float z, float level),
        (x, y, z, level), "f"(x), "f"(y), "f"(z), "f"(level))
TEXTURE(texCubemapLayered, "tex.acube", ".f32", "{%5, %6, %7, %8}]", (float x, float y, float z, int layer), (x, y, z, layer),
        "r"(layer), "f"(x), "f"(y), "f"(z))
TEXTURE(texCubemapLayeredLod, "tex.level.acube", ".f32", "{%5, %6, %7, %8}], %9",
        (float x, float y, float z, int layer, float level), (x, y, z, layer, level),
        "r"(layer), "f"(x), "f"(y), "f"(z), "f"(level))

// One component of the four texels around a place; which one is part of the instruction.
TEXTURE(__tex2Dgather_r, "tld4.r.2d", ".f32", "{%5, %6}]", (float x, float y), (x, y), "f"(x), "f"(y))
TEXTURE(__tex2Dgather_g, "tld4.g.2d", ".f32", "{%5, %6}]", (float x, float y), (x, y), "f"(x), "f"(y))
TEXTURE(__tex2Dgather_b, "tld4.b.2d", ".f32", "{%5, %6}]", (float x, float y), (x, y), "f"(x), "f"(y))
TEXTURE(__tex2Dgather_a, "tld4.a.2d", ".f32", "{%5, %6}]", (float x, float y), (x, y), "f"(x), "f"(y))
template <class T> __device__ inline T tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0)
{
    switch (component) {
    case 1: return __tex2Dgather_g<T>(texture, x, y);
    case 2: return __tex2Dgather_b<T>(texture, x, y);
    case 3: return __tex2Dgather_a<T>(texture, x, y);
    default: return __tex2Dgather_r<T>(texture, x, y);
    }
}
template <class T>
__device__ inline void tex2Dgather(T *found, cudaTextureObject_t texture, float x, float y, int component = 0)
{
    *found = tex2Dgather<T>(texture, x, y, component);
}
#undef TEXTURE
#undef FETCH
#undef LIST
