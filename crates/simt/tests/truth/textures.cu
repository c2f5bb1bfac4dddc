// What a GPU's textures give and count. scripts/truth-textures compiles and runs this; crates/simt/tests/textures.rs
// holds the embedded device to what it printed on an H200, and makes the same texels, coordinates and patterns
// (crates/simt/tests/textures/inputs.rs).
//
//   textures fetches     a line of JSON for each configuration of a texture: a hash of what its fetches gave, or, where
//   the
//                        embedded device does not find all bits, the results of the first of them
//   textures patterns    a launch of one warp for each pattern, and a line of JSON that says which; ncu counts them
//   textures rules       which addresses and pitches the driver takes
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <vector>
using std::string;
using std::vector;
typedef unsigned long long u64;
struct Rng {
    uint64_t s;
    uint64_t next() {
        uint64_t z = (s += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    uint32_t u32() { return next() >> 32; }
};
static float bitsf(uint32_t b) {
    float f;
    memcpy(&f, &b, 4);
    return f;
}
enum Op { TEX, TEXI, TLD4R, TLD4G, TLD4B, TLD4A, LEVEL };
enum Dim { D1, D2, D3, A1, A2, CUBE, ACUBE, LINEAR, PITCH };
// out: 4 words
#define TEXASM(geo, ty, cty, coords, ...)                                                                              \
    asm volatile("tex." geo ".v4." ty "." cty " {%0,%1,%2,%3}, [%4, " coords "];"                                      \
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)                                                          \
                 : "l"(t), __VA_ARGS__)
#define BY(geo, cty, coords, ...)                                                                                      \
    do {                                                                                                               \
        if (ty == 0)                                                                                                   \
            asm volatile("{.reg .f32 a,b,c,d; tex." geo ".v4.f32." cty " {a,b,c,d}, [%4, " coords                      \
                         "]; mov.b32 %0,a; mov.b32 %1,b; mov.b32 %2,c; mov.b32 %3,d;}"                                 \
                         : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)                                                  \
                         : "l"(t), __VA_ARGS__);                                                                       \
        else if (ty == 1) TEXASM(geo, "u32", cty, coords, __VA_ARGS__);                                                \
        else TEXASM(geo, "s32", cty, coords, __VA_ARGS__);                                                             \
    } while (0)
#define LEV(geo, coords, lev, ...)                                                                                     \
    asm volatile("{.reg .f32 a,b,c,d; tex." geo ".v4.f32.f32 {a,b,c,d}, [%4, " coords "]" lev                          \
                 "; mov.b32 %0,a; mov.b32 %1,b; mov.b32 %2,c; mov.b32 %3,d;}"                                          \
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)                                                          \
                 : "l"(t), __VA_ARGS__)
#define GATHER(comp)                                                                                                   \
    do {                                                                                                               \
        if (ty == 0)                                                                                                   \
            asm volatile(                                                                                              \
                "{.reg .f32 a,b,c,d; tld4." comp                                                                       \
                ".2d.v4.f32.f32 {a,b,c,d}, [%4, {%5,%6}]; mov.b32 %0,a; mov.b32 %1,b; mov.b32 %2,c; mov.b32 %3,d;}"    \
                : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)                                                           \
                : "l"(t), "f"(c.x), "f"(c.y));                                                                         \
        else if (ty == 1)                                                                                              \
            asm volatile("tld4." comp ".2d.v4.u32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];"                                   \
                         : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)                                                  \
                         : "l"(t), "f"(c.x), "f"(c.y));                                                                \
        else                                                                                                           \
            asm volatile("tld4." comp ".2d.v4.s32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];"                                   \
                         : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)                                                  \
                         : "l"(t), "f"(c.x), "f"(c.y));                                                                \
    } while (0)
__global__ void fetch(cudaTextureObject_t t, int op, int dim, int ty, const uint4 *in, uint4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 u = in[i];
    float4 c = make_float4(__uint_as_float(u.x), __uint_as_float(u.y), __uint_as_float(u.z), __uint_as_float(u.w));
    int a = (int)u.w;
    uint4 r = make_uint4(0, 0, 0, 0);
    if (op == TEX) switch (dim) {
        case D1: BY("1d", "f32", "{%5}", "f"(c.x)); break;
        case D2:
        case PITCH: BY("2d", "f32", "{%5,%6}", "f"(c.x), "f"(c.y)); break;
        case D3: BY("3d", "f32", "{%5,%6,%7,%7}", "f"(c.x), "f"(c.y), "f"(c.z)); break;
        case A1: BY("a1d", "f32", "{%5,%6}", "r"(a), "f"(c.x)); break;
        case A2: BY("a2d", "f32", "{%5,%6,%7,%7}", "r"(a), "f"(c.x), "f"(c.y)); break;
        case CUBE: BY("cube", "f32", "{%5,%6,%7,%7}", "f"(c.x), "f"(c.y), "f"(c.z)); break;
        case ACUBE: BY("acube", "f32", "{%5,%6,%7,%8}", "r"(a), "f"(c.x), "f"(c.y), "f"(c.z)); break;
        }
    else if (op == TEXI) switch (dim) {
        case LINEAR:
        case D1: BY("1d", "s32", "{%5}", "r"(u.x)); break;
        case D2:
        case PITCH: BY("2d", "s32", "{%5,%6}", "r"(u.x), "r"(u.y)); break;
        case D3: BY("3d", "s32", "{%5,%6,%7,%7}", "r"(u.x), "r"(u.y), "r"(u.z)); break;
        case A1: BY("a1d", "s32", "{%5,%6}", "r"(a), "r"(u.x)); break;
        case A2: BY("a2d", "s32", "{%5,%6,%7,%7}", "r"(a), "r"(u.x), "r"(u.y)); break;
        }
    else if (op == TLD4R) GATHER("r");
    else if (op == TLD4G) GATHER("g");
    else if (op == TLD4B) GATHER("b");
    else if (op == TLD4A) GATHER("a");
    else if (op == LEVEL) switch (dim) {
        case D1: LEV("level.1d", "{%5}", ", %6", "f"(c.x), "f"(c.w)); break;
        case D2: LEV("level.2d", "{%5,%6}", ", %7", "f"(c.x), "f"(c.y), "f"(c.w)); break;
        case D3: LEV("level.3d", "{%5,%6,%7,%7}", ", %8", "f"(c.x), "f"(c.y), "f"(c.z), "f"(c.w)); break;
        case CUBE: LEV("level.cube", "{%5,%6,%7,%7}", ", %8", "f"(c.x), "f"(c.y), "f"(c.z), "f"(c.w)); break;
        }
    out[i] = r;
}
enum SDim { S1, S2, S3, SA1, SA2 };
// named operands avoid renumbering
#define IN "l"(s), "r"(a), "r"(u.x), "r"(u.y), "r"(u.z)
#define SULD(mode, geo, co)                                                                                            \
    switch (w) {                                                                                                       \
    case 1:                                                                                                            \
        asm volatile("{.reg .b16 q; suld.b." geo ".b8." mode " q, [%4, " co "]; cvt.u32.u16 %0,q;}"                    \
                     : "+r"(r.x), "+r"(r.y), "+r"(r.z), "+r"(r.w)                                                      \
                     : IN);                                                                                            \
        break;                                                                                                         \
    case 2:                                                                                                            \
        asm volatile("{.reg .b16 q; suld.b." geo ".b16." mode " q, [%4, " co "]; cvt.u32.u16 %0,q;}"                   \
                     : "+r"(r.x), "+r"(r.y), "+r"(r.z), "+r"(r.w)                                                      \
                     : IN);                                                                                            \
        break;                                                                                                         \
    case 4:                                                                                                            \
        asm volatile("suld.b." geo ".b32." mode " %0, [%4, " co "];"                                                   \
                     : "+r"(r.x), "+r"(r.y), "+r"(r.z), "+r"(r.w)                                                      \
                     : IN);                                                                                            \
        break;                                                                                                         \
    case 8:                                                                                                            \
        asm volatile("suld.b." geo ".v2.b32." mode " {%0,%1}, [%4, " co "];"                                           \
                     : "+r"(r.x), "+r"(r.y), "+r"(r.z), "+r"(r.w)                                                      \
                     : IN);                                                                                            \
        break;                                                                                                         \
    case 16:                                                                                                           \
        asm volatile("suld.b." geo ".v4.b32." mode " {%0,%1,%2,%3}, [%4, " co "];"                                     \
                     : "+r"(r.x), "+r"(r.y), "+r"(r.z), "+r"(r.w)                                                      \
                     : IN);                                                                                            \
        break;                                                                                                         \
    }
#define SULDS(mode)                                                                                                    \
    switch (dim) {                                                                                                     \
    case S1: SULD(mode, "1d", "{%6}") break;                                                                           \
    case S2: SULD(mode, "2d", "{%6,%7}") break;                                                                        \
    case S3: SULD(mode, "3d", "{%6,%7,%8,%8}") break;                                                                  \
    case SA1: SULD(mode, "a1d", "{%5,%6}") break;                                                                      \
    case SA2: SULD(mode, "a2d", "{%5,%6,%7,%7}") break;                                                                \
    }
__global__ void sload(cudaSurfaceObject_t s, int dim, int w, int mode, const uint4 *in, uint4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 u = in[i];
    uint32_t a = u.w;
    uint4 r = make_uint4(0, 0, 0, 0);
    if (mode == 0) {
        SULDS("clamp")
    } else if (mode == 1) {
        SULDS("zero")
    } else {
        SULDS("trap")
    }
    out[i] = r;
}
#define SUST(mode, geo, co)                                                                                            \
    switch (w) {                                                                                                       \
    case 1: asm volatile("{.reg .b16 q; cvt.u16.u32 q,%5; sust.b." geo ".b8." mode " [%0, " co "], q;}" ::IN, V);      \
        break;                                                                                                         \
    case 2:                                                                                                            \
        asm volatile("{.reg .b16 q; cvt.u16.u32 q,%5; sust.b." geo ".b16." mode " [%0, " co "], q;}" ::IN, V);         \
        break;                                                                                                         \
    case 4: asm volatile("sust.b." geo ".b32." mode " [%0, " co "], %5;" ::IN, V); break;                              \
    case 8: asm volatile("sust.b." geo ".v2.b32." mode " [%0, " co "], {%5,%6};" ::IN, V); break;                      \
    case 16: asm volatile("sust.b." geo ".v4.b32." mode " [%0, " co "], {%5,%6,%7,%8};" ::IN, V); break;               \
    }
#define V "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
#define SUSTS(mode)                                                                                                    \
    switch (dim) {                                                                                                     \
    case S1: SUST(mode, "1d", "{%2}") break;                                                                           \
    case S2: SUST(mode, "2d", "{%2,%3}") break;                                                                        \
    case S3: SUST(mode, "3d", "{%2,%3,%4,%4}") break;                                                                  \
    case SA1: SUST(mode, "a1d", "{%1,%2}") break;                                                                      \
    case SA2: SUST(mode, "a2d", "{%1,%2,%3,%3}") break;                                                                \
    }
#define SURED(kind, op, ty, mode)                                                                                      \
    asm volatile("sured." kind "." op ".2d." ty "." mode " [%0, {%1,%2}], %3;" ::"l"(s), "r"(u.x), "r"(u.y), "r"(v.x))
#define CK(x)                                                                                                          \
    do {                                                                                                               \
        cudaError_t e_ = (x);                                                                                          \
        if (e_ != cudaSuccess) {                                                                                       \
            fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__);                               \
            fflush(stdout);                                                                                            \
        }                                                                                                              \
    } while (0)
static void launched() {
    static int n = 0;
    cudaError_t e = cudaGetLastError();
    if (e && n++ < 5) {
        fprintf(stderr, "launch: %s\n", cudaGetErrorName(e));
        fflush(stdout);
    }
    if (e && n == 5) exit(1);
}
struct Cfg {
    int dim, ch, bits, kind; /*0 s 1 u 2 f*/
    int rm, filter, am, norm, w, h, d, op, ty, data, coords, n, base;
};
static uint16_t half(Rng &g) { return (g.u32() & 0x8000) | ((8 + g.u32() % 8) << 10) | (g.u32() & 0x3ff); }
static vector<uint8_t> texels(const Cfg &c, size_t count, uint64_t seed) {
    Rng g{seed};
    vector<uint8_t> v;
    int el = c.bits / 8;
    v.resize(count * c.ch * el);
    for (size_t i = 0; i < count * c.ch; i++) {
        uint32_t u = g.u32();
        if (c.kind == 2 && c.bits == 32) {
            float f;
            if (c.data == 0) f = bitsf(0x3f000000u + (u & 0x00ffffff)) * ((u >> 31) ? -1.f : 1.f);
            else if (c.data == 1) f = (float)(i / c.ch) * 256.f;                              // ramp
            else if (c.data == 2) f = bitsf(0x3f800000u | (u & 0x7fffff));                    // [1,2)
            else if (c.data == 3) f = bitsf(((107 + g.u32() % 40) << 23) | (u & 0x807fffff)); // wide
            else if (c.data == 4) f = (float)(i / c.ch);
            else {
                static const uint32_t sp[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x00000001, 0x007fffff,
                                              0x7f7fffff, 0xff7fffff, 0x80000000, 0x3f800000, 0x00800000, 0xbf800000};
                f = 0;
                uint32_t b = sp[u % 12];
                memcpy(&v[i * el], &b, 4);
                continue;
            }
            memcpy(&v[i * el], &f, 4);
        } else if (c.kind == 2) {
            uint16_t h = half(g);
            if (c.data == 5) h = u & 0xffff;
            memcpy(&v[i * el], &h, 2);
        } else if (c.data == 1 || c.data == 4) {
            uint32_t x = i;
            memcpy(&v[i * el], &x, el);
        } else memcpy(&v[i * el], &u, el);
    }
    return v;
}
static float fcoord(Rng &g, int k, float N) {
    uint32_t a = g.u32(), b = g.u32();
    float r = (a >> 8) * (1.f / 16777216.f);
    switch (k) {
    case 0:
    case 1: return r * N;
    case 2: return r * 2.f * N - 0.5f * N;
    case 3: return (float)((int)(a % (uint32_t)(4 * N + 2)) - (int)N) * 0.5f;
    case 4: return (float)((int)(a % (uint32_t)(1024 * N)) - (int)(256 * N)) / 512.f;
    case 5: {
        float f = (float)(a % (uint32_t)(2 * N + 2)) * 0.5f;
        uint32_t q;
        memcpy(&q, &f, 4);
        q += (int)(b % 9) - 4;
        if (f == 0) q = b % 9;
        memcpy(&f, &q, 4);
        return f;
    }
    case 6: {
        float f = (float)(a % (uint32_t)(N * 512)) / 512.f;
        uint32_t q;
        memcpy(&q, &f, 4);
        q += (int)(b % 9) - 4;
        if (f == 0) q = b % 9;
        memcpy(&f, &q, 4);
        return f;
    }
    default: {
        static const uint32_t sp[] = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x4b800000,
                                      0xcb800000, 0x4f000000, 0xcf000000, 0x7f7fffff, 0xff7fffff,
                                      0x80000000, 0x00000001, 0x80000001, 0x47000000, 0xc7000000,
                                      0x497423f0, 0xc97423f0, 0x4a000001, 0x5f000000, 0xdf000000};
        if (b % 3) return (r - 0.5f) * ldexpf(N, (int)(b % 24));
        return bitsf(sp[a % 20]);
    }
    }
}
static vector<uint32_t> coords(const Cfg &c, uint64_t seed) {
    Rng g{seed};
    vector<uint32_t> v(4 * c.n);
    float N[3] = {(float)c.w, (float)c.h, (float)c.d};
    for (int i = 0; i < c.n; i++) {
        for (int j = 0; j < 4; j++) {
            float f = 0;
            uint32_t out;
            if (c.op == TEXI) {
                int k = g.u32() % 4;
                int n = j < 3 ? (int)N[j] : c.d;
                uint32_t a = g.u32();
                out = k < 2 ? a % (n ? n : 1) : k == 2 ? a % (3 * n + 4) - (n + 2) : a;
                if (j == 3 && k == 3) out = a % 7 - 3;
                v[4 * i + j] = out;
                continue;
            }
            if (c.dim == CUBE || c.dim == ACUBE) {
                if (j < 3) {
                    uint32_t a = g.u32();
                    int k = i % 8;
                    f = ((a >> 8) * (1.f / 16777216.f) - 0.5f) * 4;
                    if (k == 0) f = (float)((int)(a % 5) - 2);
                    if (k == 1) f = (float)((int)(a % 65) - 32) / 16.f;
                    if (k == 2 && (a & 3) == 0) f = 0.f;
                    if (k == 3 && (a & 1)) f = (f < 0 ? -2.f : 2.f);
                    if (i % 64 == 9) f = fcoord(g, 7, 1.f);
                } else {
                    uint32_t a = g.u32();
                    out = (i % 4) ? a % (c.d ? c.d : 1) : a % (c.d + 4) - 2;
                    v[4 * i + 3] = out;
                    continue;
                }
            } else if (j == 3 && c.op == LEVEL) {
                uint32_t a = g.u32();
                f = (i & 1) ? (a >> 8) * (8.f / 16777216.f) - 1.f : (float)((int)(a % 4096) - 256) / 512.f;
            } else if (j == 3) {
                uint32_t a = g.u32();
                v[4 * i + 3] = (i % 4) ? a % (c.d ? c.d : 1) : (i % 8) ? a % (c.d + 4) - 2 : a;
                continue;
            } else {
                int k = c.coords == 1   ? (int)(g.u32() & 3 ? 0 : 4)
                        : c.coords == 2 ? 4
                                        : (int)(i % 16 == 15 ? 7 : g.u32() % 7);
                float n = N[j] > 0 ? N[j] : 1;
                f = fcoord(g, k, n);
                if (c.norm) f = f / n;
            }
            memcpy(&out, &f, 4);
            v[4 * i + j] = out;
        }
    }
    return v;
}
static cudaChannelFormatDesc desc(const Cfg &c) {
    int b = c.bits;
    return cudaCreateChannelDesc(b, c.ch > 1 ? b : 0, c.ch > 2 ? b : 0, c.ch > 2 ? b : 0,
                                 c.kind == 0   ? cudaChannelFormatKindSigned
                                 : c.kind == 1 ? cudaChannelFormatKindUnsigned
                                               : cudaChannelFormatKindFloat);
}
static const char *DIMS[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "linear", "pitched"};
static const char *OPS[] = {"tex", "tex", "tld4.r", "tld4.g", "tld4.b", "tld4.a", "tex.level"};
static void describe(const Cfg &c, int id, const vector<uint32_t> &out) {
    static const char *TYPES[] = {"f32", "u32", "s32"}, *MODES[] = {"wrap", "clamp", "mirror", "border"},
                      *TEXELS[] = {"plain", "ramp", "unit", "wide", "index", "special"};
    // What the embedded device does not find to the last bit.
    bool cube = c.dim == CUBE || c.dim == ACUBE, bytes = c.rm && c.filter && c.kind == 0 && c.bits == 8,
         far = c.dim == D3 && c.filter && (c.data == 3 || c.data == 5), wide = c.norm && c.filter && c.w == 100000;
    bool raw = cube || bytes || far || wide;
    int samples = raw ? 64 : c.n < 512 ? c.n : 512;
    printf("{\"id\":%d,\"op\":\"%s\",\"dim\":\"%s\",\"type\":\"%s\",\"coords\":\"%s\",\"format\":\"%c%dx%d\","
           "\"normalised\":%d,\"linear\":%d,\"address\":\"%s\",\"fraction\":%d,\"size\":[%d,%d,%d],\"border\":%d,"
           "\"texels\":\"%s\",\"points\":%d,\"samples\":%d,",
           id, OPS[c.op], DIMS[c.dim], TYPES[c.ty], c.op == TEXI ? "s32" : "f32", "suf"[c.kind], c.bits, c.ch, c.rm,
           c.filter, MODES[c.am], c.norm, c.w, c.h, c.d, c.am == 3 ? c.base : 0, TEXELS[c.data], c.coords, samples);
    if (raw) {
        printf("\"raw\":\"");
        for (int i = 0; i < samples; i++)
            for (int j = 0; j < c.ch; j++) printf("%08x", out[4 * i + j]);
        printf("\"}\n");
    } else {
        u64 h = 0xcbf29ce484222325ull;
        for (int i = 0; i < 4 * samples; i++) h = (h ^ out[i]) * 0x100000001b3ull;
        printf("\"hash\":\"%016llx\"}\n", h);
    }
}
static void run(const Cfg &c, int id) {
    uint64_t seed = 1000003ull * id + 17;
    size_t W = c.w, H = c.h ? c.h : 1, D = c.d ? c.d : 1;
    size_t el = c.ch * c.bits / 8;
    cudaArray_t arr = 0;
    void *lin = 0;
    cudaResourceDesc rd;
    memset(&rd, 0, sizeof rd);
    auto ds = desc(c);
    unsigned flags = 0;
    cudaExtent ex = make_cudaExtent(0, 0, 0);
    auto up = [&](cudaArray_t a, cudaExtent e, size_t w, size_t h, size_t d, uint64_t sd) {
        auto v = texels(c, w * h * d, sd);
        cudaMemcpy3DParms p;
        memset(&p, 0, sizeof p);
        p.srcPtr = make_cudaPitchedPtr(v.data(), w * el, w, h);
        p.dstArray = a;
        p.extent = make_cudaExtent(w, h, d);
        p.kind = cudaMemcpyHostToDevice;
        CK(cudaMemcpy3D(&p));
    };
    size_t pitch = 0;
    switch (c.dim) {
    case D1: ex = make_cudaExtent(W, 0, 0); break;
    case D2: ex = make_cudaExtent(W, H, 0); break;
    case D3: ex = make_cudaExtent(W, H, D); break;
    case A1:
        ex = make_cudaExtent(W, 0, D);
        flags = cudaArrayLayered;
        break;
    case A2:
        ex = make_cudaExtent(W, H, D);
        flags = cudaArrayLayered;
        break;
    case CUBE:
        ex = make_cudaExtent(W, W, 6);
        flags = cudaArrayCubemap;
        break;
    case ACUBE:
        ex = make_cudaExtent(W, W, 6 * D);
        flags = cudaArrayCubemap | cudaArrayLayered;
        break;
    }
    size_t dd = c.dim == CUBE ? 6 : c.dim == ACUBE ? 6 * D : D;
    size_t hh = (c.dim == D1 || c.dim == A1) ? 1 : (c.dim == CUBE || c.dim == ACUBE) ? W : H;
    if (c.dim == D2 || c.dim == D1) dd = 1;
    if (c.dim == LINEAR) {
        auto v = texels(c, W, seed);
        CK(cudaMalloc(&lin, W * el + 4096));
        CK(cudaMemset(lin, 0x5a, W * el + 4096));
        CK(cudaMemcpy(lin, v.data(), v.size(), cudaMemcpyHostToDevice));
        rd.resType = cudaResourceTypeLinear;
        rd.res.linear.devPtr = lin;
        rd.res.linear.desc = ds;
        rd.res.linear.sizeInBytes = W * el;
    } else if (c.dim == PITCH) {
        pitch = (W * el + 31) / 32 * 32;
        auto v = texels(c, W * H, seed);
        CK(cudaMalloc(&lin, pitch * H + 4096));
        CK(cudaMemset(lin, 0x5a, pitch * H + 4096));
        CK(cudaMemcpy2D(lin, pitch, v.data(), W * el, W * el, H, cudaMemcpyHostToDevice));
        rd.resType = cudaResourceTypePitch2D;
        rd.res.pitch2D.devPtr = lin;
        rd.res.pitch2D.desc = ds;
        rd.res.pitch2D.width = W;
        rd.res.pitch2D.height = H;
        rd.res.pitch2D.pitchInBytes = pitch;
    } else {
        CK(cudaMalloc3DArray(&arr, &ds, ex, flags));
        up(arr, ex, W, hh, dd, seed);
        rd.resType = cudaResourceTypeArray;
        rd.res.array.array = arr;
    }
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    for (int i = 0; i < 3; i++) td.addressMode[i] = (cudaTextureAddressMode)c.am;
    td.filterMode = (cudaTextureFilterMode)c.filter;
    td.readMode = c.rm ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    td.normalizedCoords = c.norm;
    if (c.am == 3 && c.base) {
        td.borderColor[0] = 0.25f;
        td.borderColor[1] = -1.5f;
        td.borderColor[2] = 3e5f;
        td.borderColor[3] = 1.f;
        if (c.base == 2)
            for (int i = 0; i < 4; i++) {
                int q = i * 1000 - 7;
                memcpy(&td.borderColor[i], &q, 4);
            }
    }
    cudaTextureObject_t t = 0;
    cudaError_t rc = cudaCreateTextureObject(&t, &rd, &td, 0);
    cudaGetLastError();
    auto co = coords(c, seed ^ 0xabcdef);
    vector<uint32_t> out(4 * c.n, 0);
    if (rc == cudaSuccess) {
        void *di, *dout;
        CK(cudaMalloc(&di, 16 * c.n));
        CK(cudaMalloc(&dout, 16 * c.n));
        CK(cudaMemcpy(di, co.data(), 16 * c.n, cudaMemcpyHostToDevice));
        CK(cudaMemset(dout, 0xcd, 16 * c.n));
        fetch<<<(c.n + 127) / 128, 128>>>(t, c.op, c.dim, c.ty, (uint4 *)di, (uint4 *)dout, c.n);
        launched();
        CK(cudaDeviceSynchronize());
        CK(cudaMemcpy(out.data(), dout, 16 * c.n, cudaMemcpyDeviceToHost));
        cudaFree(di);
        cudaFree(dout);
        cudaDestroyTextureObject(t);
    }
    if (rc == cudaSuccess) describe(c, id, out);
    if (arr) cudaFreeArray(arr);
    if (lin) cudaFree(lin);
}
static vector<Cfg> configs() {
    vector<Cfg> v;
    auto add = [&](Cfg c) { v.push_back(c); };
    struct Fm {
        int ch, bits, kind, rm;
    };
    vector<Fm> fm;
    for (int kind = 0; kind < 2; kind++)
        for (int bits = 8; bits <= 32; bits *= 2)
            for (int ch = 1; ch <= 4; ch *= 2)
                for (int rm = 0; rm < 2; rm++) fm.push_back({ch, bits, kind, rm});
    for (int bits = 16; bits <= 32; bits *= 2)
        for (int ch = 1; ch <= 4; ch *= 2) fm.push_back({ch, bits, 2, 0});
    // A: all formats, 2D, point and linear
    for (auto &f : fm)
        for (int fi = 0; fi < 2; fi++) {
            int ty = f.rm || f.kind == 2 ? 0 : f.kind == 1 ? 1 : 2;
            add({D2, f.ch, f.bits, f.kind, f.rm, fi, 1, 0, 37, 23, 0, TEX, ty, 0, 0, 2048, 0});
        }
    // B: dims x address x filter x norm, f32x1 and u8x4 normalised
    for (int dim = D1; dim <= A2; dim++)
        for (int am = 0; am < 4; am++)
            for (int fi = 0; fi < 2; fi++)
                for (int no = 0; no < 2; no++)
                    for (int q = 0; q < 2; q++)
                        add({dim, q ? 4 : 1, q ? 8 : 32, q ? 1 : 2, q, fi, am, no,
                             dim == D1 || dim == A1 ? 101 : 32 - 5 * q, dim == D1 || dim == A1 ? 0 : 19 + q,
                             dim == D3                  ? 11
                             : (dim == A1 || dim == A2) ? 5
                                                        : 0,
                             TEX, 0, 0, 0, 2048, 0});
    for (int am = 0; am < 4; am++)
        for (int fi = 0; fi < 2; fi++)
            for (int no = 0; no < 2; no++) add({PITCH, 1, 32, 2, 0, fi, am, no, 33, 17, 0, TEX, 0, 0, 0, 2048, 0});
    // C: ramps for the coordinate's fixed point
    for (int fi = 0; fi < 2; fi++)
        for (int no = 0; no < 2; no++) {
            for (int w : {64, 1000, 16384}) add({D1, 1, 32, 2, 0, fi, 1, no, w, 0, 0, TEX, 0, fi ? 1 : 4, 0, 16384, 0});
            add({D2, 1, 32, 2, 0, fi, 1, no, 200, 2, 0, TEX, 0, fi ? 1 : 4, 0, 8192, 0});
            add({D2, 1, 32, 2, 0, fi, no ? 0 : 1, no, 1, 300, 0, TEX, 0, fi ? 1 : 4, 0, 8192, 0});
            add({D1, 1, 32, 2, 0, fi, 0, 1, 100 + no * 28, 0, 0, TEX, 0, fi ? 1 : 4, 0, 8192, 0});
            add({D1, 1, 32, 2, 0, fi, 2, 1, 100 + no * 28, 0, 0, TEX, 0, fi ? 1 : 4, 0, 8192, 0});
        }
    for (int w : {2048, 4096, 5000, 8192, 12000, 16383, 20000, 32768, 40000, 65536, 100000, 131072})
        for (int fi = 0; fi < 2; fi++) add({D1, 1, 32, 2, 0, fi, 1, 1, w, 0, 0, TEX, 0, fi ? 1 : 4, 0, 4096, 0});
    // D: interpolation arithmetic, inside
    for (int data : {0, 2, 3, 5})
        for (int dim : {D1, D2, D3})
            add({dim, 1, 32, 2, 0, 1, 1, 0, dim == D3 ? 16 : 64, dim == D1 ? 0 : 16, dim == D3 ? 16 : 0, TEX, 0, data,
                 dim == D1 ? 2 : 1, 16384, 0});
    for (int data : {0, 5})
        for (int dim : {D1, D2, D3})
            add({dim, 2, 16, 2, 0, 1, 1, 0, dim == D3 ? 16 : 64, dim == D1 ? 0 : 16, dim == D3 ? 16 : 0, TEX, 0, data,
                 dim == D1 ? 2 : 1, 8192, 0});
    for (int kind = 0; kind < 2; kind++)
        for (int bits = 8; bits <= 16; bits *= 2)
            for (int dim : {D1, D2, D3})
                add({dim, 2, bits, kind, 1, 1, 1, 0, dim == D3 ? 16 : 64, dim == D1 ? 0 : 16, dim == D3 ? 16 : 0, TEX,
                     0, 0, dim == D1 ? 2 : 1, 8192, 0});
    // every value of 8- and 16-bit formats, point
    for (int kind = 0; kind < 2; kind++) {
        add({D1, 1, 8, kind, 1, 0, 1, 0, 256, 0, 0, TEX, 0, 4, 0, 1024, 0});
        add({LINEAR, 1, 16, kind, 1, 0, 1, 0, 65536, 0, 0, TEXI, 0, 4, 0, 16384, 0});
        add({LINEAR, 1, 8, kind, 1, 0, 1, 0, 256, 0, 0, TEXI, 0, 4, 0, 1024, 0});
    }
    // E: cubes
    for (int dim : {CUBE, ACUBE})
        for (int fi = 0; fi < 2; fi++)
            for (int am : {0, 1, 3})
                for (int w : {8, 13})
                    add({dim, 1, 32, 2, 0, fi, am, 1, w, 0, dim == ACUBE ? 3 : 0, TEX, 0, fi ? 0 : 4, 0, 8192, 0});
    add({CUBE, 4, 8, 1, 1, 1, 1, 1, 16, 0, 0, TEX, 0, 0, 0, 4096, 0});
    // F: gather
    for (int op = TLD4R; op <= TLD4A; op++)
        for (int am = 0; am < 4; am++)
            for (int no = 0; no < 2; no++)
                add({D2, 4, 32, 2, 0, (op + am) & 1, am, no, 31, 18, 0, op, 0, 4, 0, 2048, 0});
    for (int op = TLD4R; op <= TLD4A; op++) {
        add({D2, 4, 8, 1, 0, 0, 1, 0, 31, 18, 0, op, 1, 0, 0, 1024, 0});
        add({D2, 2, 16, 0, 1, 1, 3, 0, 31, 18, 0, op, 0, 0, 0, 1024, 0});
        add({PITCH, 1, 32, 0, 0, 0, 1, 0, 31, 18, 0, op, 2, 0, 0, 1024, 0});
    }
    // G: integer coordinates
    for (int dim : {LINEAR, D1, D2, D3, A1, A2, PITCH})
        for (int am = 0; am < 4; am++)
            for (int fi = 0; fi < 2; fi++) {
                add({dim, 1, 32, 2, 0, fi, am, 0, 29, dim == LINEAR || dim == D1 || dim == A1 ? 0 : 13,
                     dim == D3 || dim == A1 || dim == A2 ? 6 : 0, TEXI, 0, 4, 0, 2048, 0});
                if (am == 1 && !fi)
                    for (int ch = 1; ch <= 4; ch *= 2)
                        for (int kind = 0; kind < 2; kind++)
                            for (int bits : {8, 16, 32})
                                add({dim, ch, bits, kind, 0, fi, am, 0, 29,
                                     dim == LINEAR || dim == D1 || dim == A1 ? 0 : 13,
                                     dim == D3 || dim == A1 || dim == A2 ? 6 : 0, TEXI, kind == 1 ? 1 : 2, 0, 0, 1024,
                                     0});
            }
    // normalised with integer coordinates
    for (int dim : {D1, D2}) add({dim, 1, 32, 2, 0, 0, 1, 1, 29, dim == D1 ? 0 : 13, 0, TEXI, 0, 4, 0, 512, 0});
    // level on a texture without mipmaps
    add({D2, 1, 32, 2, 0, 1, 1, 1, 64, 32, 0, LEVEL, 0, 2, 0, 2048, 0});
    add({D2, 1, 32, 2, 0, 1, 1, 0, 64, 32, 0, LEVEL, 0, 2, 0, 2048, 0});
    // I: border colours
    for (int b = 1; b <= 2; b++) {
        add({D2, 4, 32, 2, 0, 1, 3, 0, 31, 18, 0, TEX, 0, 0, 0, 1024, b});
        add({D2, 4, 8, 1, 1, 1, 3, 0, 31, 18, 0, TEX, 0, 0, 0, 1024, b});
        add({D2, 4, 8, 1, 0, 0, 3, 0, 31, 18, 0, TEX, 1, 0, 0, 1024, b});
        add({D2, 4, 16, 2, 0, 1, 3, 0, 31, 18, 0, TEX, 0, 0, 0, 1024, b});
        add({D2, 2, 16, 0, 1, 1, 3, 0, 31, 18, 0, TEX, 0, 0, 0, 1024, b});
        add({D2, 4, 32, 0, 0, 0, 3, 0, 31, 18, 0, TEX, 2, 0, 0, 1024, b});
        add({D2, 1, 8, 1, 1, 0, 3, 0, 31, 18, 0, TEX, 0, 0, 0, 1024, b});
    }
    // J: read as another type than that of the channels
    add({D2, 2, 32, 2, 0, 0, 1, 0, 31, 18, 0, TEX, 1, 0, 0, 256, 0});
    add({D2, 2, 16, 2, 0, 0, 1, 0, 31, 18, 0, TEX, 1, 0, 0, 256, 0});
    add({D2, 2, 8, 1, 1, 0, 1, 0, 31, 18, 0, TEX, 1, 0, 0, 256, 0});
    add({D2, 2, 8, 1, 0, 0, 1, 0, 31, 18, 0, TEX, 0, 0, 0, 256, 0});
    add({D2, 2, 8, 0, 0, 0, 1, 0, 31, 18, 0, TEX, 1, 0, 0, 256, 0});
    add({D2, 2, 16, 0, 0, 0, 1, 0, 31, 18, 0, TEX, 0, 0, 0, 256, 0});
    // big 2D / 3D dims
    add({D2, 1, 8, 1, 1, 1, 1, 1, 2048, 2048, 0, TEX, 0, 0, 0, 4096, 0});
    add({D2, 1, 16, 1, 1, 1, 0, 1, 1000, 777, 0, TEX, 0, 0, 0, 4096, 0});
    add({D3, 1, 32, 2, 0, 1, 0, 1, 65, 33, 21, TEX, 0, 0, 0, 4096, 0});
    return v;
}

static void rules() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("textureAlignment %zu texturePitchAlignment %zu surfaceAlignment %zu\n", p.textureAlignment,
           p.texturePitchAlignment, p.surfaceAlignment);
    char *b;
    cudaMalloc(&b, 1 << 22);
    auto ld = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    auto mk = [&](cudaResourceDesc rd, int filter, int norm, int rm, int am) -> int {
        cudaTextureDesc td;
        memset(&td, 0, sizeof td);
        td.filterMode = (cudaTextureFilterMode)filter;
        td.normalizedCoords = norm;
        td.readMode = (cudaTextureReadMode)rm;
        for (int i = 0; i < 3; i++) td.addressMode[i] = (cudaTextureAddressMode)am;
        cudaTextureObject_t t;
        int rc = cudaCreateTextureObject(&t, &rd, &td, 0);
        cudaGetLastError();
        if (!rc) cudaDestroyTextureObject(t);
        return rc;
    };
    auto pd = [&](char *base, int w, int h, size_t pitch, cudaChannelFormatDesc d) {
        cudaResourceDesc rd;
        memset(&rd, 0, sizeof rd);
        rd.resType = cudaResourceTypePitch2D;
        rd.res.pitch2D.devPtr = base;
        rd.res.pitch2D.desc = d;
        rd.res.pitch2D.width = w;
        rd.res.pitch2D.height = h;
        rd.res.pitch2D.pitchInBytes = pitch;
        return rd;
    };
    auto lin = [&](char *base, size_t n, cudaChannelFormatDesc d) {
        cudaResourceDesc rd;
        memset(&rd, 0, sizeof rd);
        rd.resType = cudaResourceTypeLinear;
        rd.res.linear.devPtr = base;
        rd.res.linear.desc = d;
        rd.res.linear.sizeInBytes = n;
        return rd;
    };
    printf("pitch:");
    for (size_t q : {16, 20, 28, 32, 48, 60, 64, 96, 100, 128, 160, 192, 224, 256, 272, 512})
        printf(" %zu:%d", q, mk(pd(b, 4, 4, q, ld), 0, 0, 0, 1));
    printf("\n");
    printf("pitch one row:");
    for (size_t q : {16, 60, 64}) printf(" %zu:%d", q, mk(pd(b, 4, 1, q, ld), 0, 0, 0, 1));
    printf("\n");
    printf("pitch<width:");
    for (size_t q : {32, 64, 96, 128}) printf(" %zu:%d", q, mk(pd(b, 20, 4, q, ld), 0, 0, 0, 1));
    printf("\n");
    printf("pitch base:");
    for (size_t q : {4, 16, 32, 64, 128, 256, 512}) printf(" %zu:%d", q, mk(pd(b + q, 4, 4, 256, ld), 0, 0, 0, 1));
    printf("\n");
    printf("linear base:");
    for (size_t q : {1, 4, 8, 16, 32, 64, 128, 256, 512}) printf(" %zu:%d", q, mk(lin(b + q, 256, ld), 0, 0, 0, 1));
    printf("\n");
    printf("linear size:");
    for (size_t q : {0, 1, 3, 4, 6, 100}) printf(" %zu:%d", q, mk(lin(b, q, ld), 0, 0, 0, 1));
    printf("\n");
    printf("linear beyond:");
    printf(" %d\n", mk(lin(b, 1ull << 30, ld), 0, 0, 0, 1));
    printf("linear max: ");
    for (size_t k : {27, 28, 29}) printf(" 2^%zu:%d", k, mk(lin(b, 4ull << k, ld), 0, 0, 0, 1));
    printf("\n");
    printf("pitch limits:");
    for (int w : {65000, 131072, 131073})
        printf(" w%d:%d", w, mk(pd(b, w, 2, ((size_t)w * 4 + 31) / 32 * 32, ld), 0, 0, 0, 1));
    for (int h : {65000, 65001, 131072}) printf(" h%d:%d", h, mk(pd(b, 8, h, 32, ld), 0, 0, 0, 1));
    for (size_t q : {1048544, 2097120, 2097152}) printf(" p%zu:%d", q, mk(pd(b, 8, 2, q, ld), 0, 0, 0, 1));
    printf("\n");
    printf("linear filter on int element: ");
    for (int norm = 0; norm < 2; norm++)
        for (int rm = 0; rm < 2; rm++)
            printf(" %d", mk(pd(b, 8, 8, 64, cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned)), 1, norm,
                             rm, 1));
    printf(" lin1d filter %d norm %d wrap %d\n", mk(lin(b, 256, ld), 1, 0, 0, 1), mk(lin(b, 256, ld), 0, 1, 0, 1),
           mk(lin(b, 256, ld), 0, 0, 0, 0));
    printf("int32 normalised: %d  three channels: %d\n",
           mk(pd(b, 8, 8, 64, cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned)), 0, 0, 1, 1),
           mk(pd(b, 8, 8, 128, cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat)), 0, 0, 0, 1));
    {
        cudaArray_t a;
        auto tryarr = [&](size_t w, size_t h, size_t d, unsigned f) {
            a = 0;
            int rc = cudaMalloc3DArray(&a, &ld, make_cudaExtent(w, h, d), f);
            cudaGetLastError();
            if (!rc) cudaFreeArray(a);
            return rc;
        };
        printf("arrays: 1d131072:%d 131073:%d 2d 131072x65536? %d cube 4x5x6:%d 4x4x5:%d 4x4x6:%d layered 2049:%d "
               "2048:%d zero:%d 3d16385:%d\n",
               tryarr(131072, 0, 0, 0), tryarr(131073, 0, 0, 0), tryarr(131073, 2, 0, 0),
               tryarr(4, 5, 6, cudaArrayCubemap), tryarr(4, 4, 5, cudaArrayCubemap), tryarr(4, 4, 6, cudaArrayCubemap),
               tryarr(4, 4, 2049, cudaArrayLayered), tryarr(4, 4, 2048, cudaArrayLayered), tryarr(0, 0, 0, 0),
               tryarr(16385, 2, 2, 0));
        auto d3 = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
        printf("array of three channels: %d\n", (int)cudaMallocArray(&a, &d3, 4, 4, 0));
        cudaGetLastError();
        cudaMallocArray(&a, &ld, 4, 4, 0);
        cudaResourceDesc rd;
        memset(&rd, 0, sizeof rd);
        rd.resType = cudaResourceTypeArray;
        rd.res.array.array = a;
        cudaSurfaceObject_t s;
        printf("surface of array without the flag: %d; ", (int)cudaCreateSurfaceObject(&s, &rd));
        cudaGetLastError();
        printf("unnormalised wrap %d mirror %d border %d\n", mk(rd, 0, 0, 0, 0), mk(rd, 0, 0, 0, 2),
               mk(rd, 0, 0, 0, 3));
        printf("array normalised read of f32 %d\n", mk(rd, 0, 0, 1, 1));
    }
}
__global__ void sstore_warp(cudaSurfaceObject_t s, int dim, int w, int mode, const uint4 *in, const uint4 *val, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    uint4 u = in[i], v = val[i];
    uint32_t a = u.w;
    SUSTS("zero")
}
__global__ void sred_warp(cudaSurfaceObject_t s, const uint4 *in, const uint4 *val, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    uint4 u = in[i], v = val[i];
    SURED("b", "add", "u32", "clamp");
}
struct Pt {
    float x, y, z;
};
static vector<Pt> pattern(const string &p, int W, int H) {
    vector<Pt> v;
    Rng g{99};
    for (int i = 0; i < 32; i++) {
        Pt q = {0, 0, 0};
        if (p == "same") q = {3, 3, 0};
        else if (p == "row") q = {(float)i, 2, 0};
        else if (p == "row_odd") q = {(float)i + 1, 3, 0};
        else if (p == "row5") q = {(float)i + 5, 0, 0};
        else if (p == "column") q = {2, (float)i, 0};
        else if (p == "8x4") q = {(float)(i % 8), (float)(i / 8), 0};
        else if (p == "4x8") q = {(float)(i % 4), (float)(i / 4), 0};
        else if (p == "16x2") q = {(float)(i % 16), (float)(i / 16), 0};
        else if (p == "16x2_odd") q = {(float)(i % 16), (float)(i / 16) + 1, 0};
        else if (p == "2x16") q = {(float)(i % 2), (float)(i / 2), 0};
        else if (p == "quads") {
            int a = i % 4, b = i / 4;
            q = {(float)((b % 4) * 2 + (a & 1)), (float)((b / 4) * 2 + (a >> 1)), 0};
        } else if (p == "stride2") q = {(float)(2 * i), 0, 0};
        else if (p == "stride4") q = {(float)((4 * i) % W), 0, 0};
        else if (p == "stride8") q = {(float)((8 * i) % W), (float)(8 * i / W), 0};
        else if (p == "diagonal") q = {(float)i, (float)i, 0};
        else if (p == "random16") q = {(float)(g.u32() % 16), (float)(g.u32() % 16), 0};
        else if (p == "random64") q = {(float)(g.u32() % 64), (float)(g.u32() % 64), 0};
        else if (p == "random") q = {(float)(g.u32() % W), (float)(g.u32() % H), 0};
        else if (p == "reverse") q = {(float)(31 - i), 0, 0};
        else if (p == "pairs") q = {(float)(i / 2), (float)(i / 2), 0};
        else if (p == "halves") q = {(float)(i % 16 + (i / 16) * 64), (float)(i / 16 * 20), 0};
        else if (p == "quarter") q = {(float)(i % 8 + (i / 8) * 32), (float)(i / 8 * 9), 0};
        else if (p == "depth") q = {1, 1, (float)(i % 16)};
        else if (p == "4x4x2") q = {(float)(i % 4), (float)(i / 4 % 4), (float)(i / 16)};
        else if (p == "random3") q = {(float)(g.u32() % 32), (float)(g.u32() % 32), (float)(g.u32() % 16)};
        v.push_back(q);
    }
    return v;
}
static void counters() {
    const char *pats[] = {"same",     "row",    "row_odd", "row5",    "column",  "8x4",     "4x8",      "16x2",
                          "16x2_odd", "2x16",   "quads",   "stride2", "stride4", "stride8", "diagonal", "random16",
                          "random64", "random", "reverse", "pairs",   "halves",  "quarter"};
    auto one = [&](int dim, int ch, int bits, int kind, int op, int filter, float shift, const string &pat, int n,
                   int W, int H, int D, int rm) {
        Cfg c;
        memset(&c, 0, sizeof c);
        c.dim = dim;
        c.ch = ch;
        c.bits = bits;
        c.kind = kind;
        c.w = W;
        c.h = H;
        c.d = D;
        size_t el = ch * bits / 8;
        cudaArray_t arr = 0;
        void *lin = 0;
        cudaResourceDesc rd;
        memset(&rd, 0, sizeof rd);
        auto ds = desc(c);
        size_t pitch = 0;
        if (dim == LINEAR) {
            CK(cudaMalloc(&lin, W * el));
            rd.resType = cudaResourceTypeLinear;
            rd.res.linear.devPtr = lin;
            rd.res.linear.desc = ds;
            rd.res.linear.sizeInBytes = W * el;
        } else if (dim == PITCH) {
            pitch = W * el;
            CK(cudaMalloc(&lin, pitch * H));
            rd.resType = cudaResourceTypePitch2D;
            rd.res.pitch2D.devPtr = lin;
            rd.res.pitch2D.desc = ds;
            rd.res.pitch2D.width = W;
            rd.res.pitch2D.height = H;
            rd.res.pitch2D.pitchInBytes = pitch;
        } else {
            cudaExtent ex = dim == D1     ? make_cudaExtent(W, 0, 0)
                            : dim == D2   ? make_cudaExtent(W, H, 0)
                            : dim == A1   ? make_cudaExtent(W, 0, D)
                            : dim == CUBE ? make_cudaExtent(W, W, 6)
                                          : make_cudaExtent(W, H, D);
            CK(cudaMalloc3DArray(&arr, &ds, ex,
                                 (dim == A1 || dim == A2) ? cudaArrayLayered
                                 : dim == CUBE            ? cudaArrayCubemap
                                                          : 0));
            rd.resType = cudaResourceTypeArray;
            rd.res.array.array = arr;
        }
        cudaTextureDesc td;
        memset(&td, 0, sizeof td);
        for (int i = 0; i < 3; i++) td.addressMode[i] = cudaAddressModeClamp;
        td.filterMode = (cudaTextureFilterMode)filter;
        td.readMode = rm ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        cudaTextureObject_t t;
        CK(cudaCreateTextureObject(&t, &rd, &td, 0));
        auto pts = pattern(pat, W, H ? H : 1);
        vector<uint32_t> co(128, 0);
        for (int i = 0; i < 32; i++) {
            float f[3] = {pts[i].x, pts[i].y, pts[i].z};
            for (int j = 0; j < 3; j++) {
                if (op == TEXI) co[4 * i + j] = (uint32_t)f[j];
                else {
                    float q = f[j] + shift;
                    if (dim == CUBE) q = (q / 16.f - 1.f) * (j == 2 ? 0.f : 1.f) + (j == 2 ? 1.f : 0.f);
                    memcpy(&co[4 * i + j], &q, 4);
                }
            }
            co[4 * i + 3] = D ? (uint32_t)pts[i].z : 0;
            if (op == LEVEL) {
                float z = 0;
                memcpy(&co[4 * i + 3], &z, 4);
            }
        }
        void *di, *dout;
        CK(cudaMalloc(&di, 512));
        CK(cudaMalloc(&dout, 512));
        CK(cudaMemcpy(di, co.data(), 512, cudaMemcpyHostToDevice));
        int ty = rm || kind == 2 ? 0 : kind == 1 ? 1 : 2;
        fetch<<<1, 32>>>(t, op, dim, ty, (uint4 *)di, (uint4 *)dout, n);
        launched();
        CK(cudaDeviceSynchronize());
        printf("{\"op\":\"%s\",\"dim\":\"%s\",\"coords\":\"%s\",\"format\":\"%c%dx%d\",\"normalised\":%d,\"linear\":%d,"
               "\"shift\":%g,\"pattern\":\"%s\",\"lanes\":%d,\"size\":[%d,%d,%d]}\n",
               OPS[op], DIMS[dim], op == TEXI ? "s32" : "f32", "suf"[kind], bits, ch, rm, filter, shift, pat.c_str(), n,
               W, H, D);
        cudaDestroyTextureObject(t);
        if (arr) cudaFreeArray(arr);
        if (lin) cudaFree(lin);
        cudaFree(di);
        cudaFree(dout);
    };
    struct F {
        int ch, bits, kind;
    };
    F fs[] = {{1, 8, 1}, {1, 16, 1}, {1, 32, 2}, {2, 32, 2}, {4, 32, 2}};
    for (auto f : fs)
        for (auto p : pats) {
            if (f.bits * f.ch != 32 && string(p) != "same" && string(p) != "row" && string(p) != "8x4" &&
                string(p) != "column" && string(p) != "random64" && string(p) != "quads" && string(p) != "stride2" &&
                string(p) != "16x2_odd")
                continue;
            one(D2, f.ch, f.bits, f.kind, TEX, 0, .5f, p, 32, 256, 128, 0, 0);
        }
    for (auto p : {"row", "8x4", "column", "random64", "quads", "same"}) {
        one(PITCH, 1, 32, 2, TEX, 0, .5f, p, 32, 256, 128, 0, 0);
        one(D2, 4, 8, 1, TEX, 0, .5f, p, 32, 256, 128, 0, 1);
        one(D2, 1, 32, 2, TEXI, 0, 0, p, 32, 256, 128, 0, 0);
        one(A2, 1, 32, 2, TEX, 0, .5f, p, 32, 256, 128, 3, 0);
        one(D2, 1, 32, 2, TLD4R, 0, 1.f, p, 32, 256, 128, 0, 0);
        one(D2, 1, 32, 2, LEVEL, 0, .5f, p, 32, 256, 128, 0, 0);
    }
    for (auto p : {"row", "same", "stride2", "stride8", "random64", "reverse", "row5"})
        for (auto f : fs) one(LINEAR, f.ch, f.bits, f.kind, TEXI, 0, 0, p, 32, 65536, 0, 0, 0);
    for (auto p : {"row", "same", "stride2", "random64"}) {
        one(D1, 1, 32, 2, TEX, 0, .5f, p, 32, 8192, 0, 0, 0);
        one(D1, 1, 32, 2, TEX, 1, 1.f, p, 32, 8192, 0, 0, 0);
        one(A1, 1, 32, 2, TEX, 0, .5f, p, 32, 8192, 0, 4, 0);
    }
    for (auto p : {"row", "8x4", "column", "quads", "random64", "random16", "same"})
        for (float sh : {.5f, .75f, 1.f}) {
            one(D2, 1, 32, 2, TEX, 1, sh, p, 32, 256, 128, 0, 0);
            one(D2, 4, 8, 1, TEX, 1, sh, p, 32, 256, 128, 0, 1);
            one(D2, 4, 32, 2, TEX, 1, sh, p, 32, 256, 128, 0, 0);
            if (sh == .75f) {
                one(D2, 2, 32, 2, TEX, 1, sh, p, 32, 256, 128, 0, 0);
                one(D2, 1, 8, 1, TEX, 1, sh, p, 32, 256, 128, 0, 1);
                one(PITCH, 1, 32, 2, TEX, 1, sh, p, 32, 256, 128, 0, 0);
                one(D2, 1, 16, 2, TEX, 1, sh, p, 32, 256, 128, 0, 0);
            }
        }
    for (auto p : {"row", "8x4", "column", "depth", "4x4x2", "random3", "same"})
        for (int fi = 0; fi < 2; fi++) {
            one(D3, 1, 32, 2, TEX, fi, fi ? .75f : .5f, p, 32, 64, 64, 32, 0);
            one(D3, 4, 8, 1, TEX, fi, fi ? .75f : .5f, p, 32, 64, 64, 32, 1);
            if (!fi) one(D3, 4, 32, 2, TEX, fi, .5f, p, 32, 64, 64, 32, 0);
        }
    for (auto p : {"row", "8x4", "random16"})
        for (int fi = 0; fi < 2; fi++) one(CUBE, 1, 32, 2, TEX, fi, .25f, p, 32, 32, 0, 0, 0);
    for (int n : {1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 31}) {
        one(D2, 1, 32, 2, TEX, 0, .5f, "row", n, 256, 128, 0, 0);
        one(D2, 4, 32, 2, TEX, 0, .5f, "row", n, 256, 128, 0, 0);
        one(D2, 1, 32, 2, TEX, 1, .75f, "row", n, 256, 128, 0, 0);
        one(D2, 1, 32, 2, TEX, 0, .5f, "random64", n, 256, 128, 0, 0);
    }
    // surfaces
    for (int op = 0; op < 3; op++)
        for (int w : {1, 2, 4, 8, 16})
            for (auto p : {"same", "row", "column", "8x4", "16x2_odd", "stride2", "random64", "diagonal", "2x16"})
                for (int dim : {S1, S2, S3}) {
                    if (dim != S2 && string(p) != "row" && string(p) != "stride2") continue;
                    if (op == 2 && (w != 4 || dim != S2)) continue;
                    Cfg c;
                    memset(&c, 0, sizeof c);
                    c.ch = w >= 8 ? w / 4 : 1;
                    c.bits = w >= 4 ? 32 : 8 * w;
                    c.kind = 1;
                    auto ds = desc(c);
                    int W = 256, H = dim == S1 ? 0 : 128;
                    cudaArray_t arr;
                    CK(cudaMalloc3DArray(&arr, &ds, make_cudaExtent(W, H, dim == S3 ? 4 : 0),
                                         cudaArraySurfaceLoadStore));
                    cudaResourceDesc rd;
                    memset(&rd, 0, sizeof rd);
                    rd.resType = cudaResourceTypeArray;
                    rd.res.array.array = arr;
                    cudaSurfaceObject_t s;
                    CK(cudaCreateSurfaceObject(&s, &rd));
                    auto pts = pattern(p, W, H ? H : 1);
                    vector<uint32_t> co(128, 0);
                    for (int i = 0; i < 32; i++) {
                        co[4 * i] = (uint32_t)pts[i].x * w;
                        co[4 * i + 1] = (uint32_t)pts[i].y;
                    }
                    void *di, *dv, *dout;
                    CK(cudaMalloc(&di, 512));
                    CK(cudaMalloc(&dv, 512));
                    CK(cudaMemset(dv, 1, 512));
                    CK(cudaMalloc(&dout, 512));
                    CK(cudaMemcpy(di, co.data(), 512, cudaMemcpyHostToDevice));
                    if (op == 0) sload<<<1, 32>>>(s, dim, w, 1, (uint4 *)di, (uint4 *)dout, 32);
                    else if (op == 1) sstore_warp<<<1, 32>>>(s, dim, w, 1, (uint4 *)di, (uint4 *)dv, 32);
                    else sred_warp<<<1, 32>>>(s, (uint4 *)di, (uint4 *)dv, 32);
                    launched();
                    CK(cudaDeviceSynchronize());
                    static const char *SOPS[] = {"suld", "sust", "sured"}, *SDIMS[] = {"1d", "2d", "3d"};
                    printf("{\"op\":\"%s\",\"dim\":\"%s\",\"bytes\":%d,\"pattern\":\"%s\",\"lanes\":32,\"size\":[%d,%d,"
                           "%d]}\n",
                           SOPS[op], SDIMS[dim], w, p, W, H, dim == S3 ? 4 : 0);
                    cudaDestroySurfaceObject(s);
                    cudaFreeArray(arr);
                    cudaFree(di);
                    cudaFree(dv);
                    cudaFree(dout);
                }
}
int main(int argc, char **argv) {
    string what = argc > 1 ? argv[1] : "";
    if (what == "fetches") {
        auto v = configs();
        for (size_t i = 0; i < v.size(); i++) run(v[i], (int)i);
    } else if (what == "patterns") counters();
    else if (what == "rules") rules();
    else {
        fprintf(stderr, "fetches, patterns or rules\n");
        return 2;
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
