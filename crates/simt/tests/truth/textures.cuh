// What the programs of scripts/truth-textures share: random numbers, formats, and the kernel that fetches.
#pragma once
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
static cudaChannelFormatDesc desc(const Cfg &c) {
    int b = c.bits;
    return cudaCreateChannelDesc(b, c.ch > 1 ? b : 0, c.ch > 2 ? b : 0, c.ch > 2 ? b : 0,
                                 c.kind == 0   ? cudaChannelFormatKindSigned
                                 : c.kind == 1 ? cudaChannelFormatKindUnsigned
                                               : cudaChannelFormatKindFloat);
}
static const char *DIMS[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "linear", "pitched"};
static const char *OPS[] = {"tex", "tex", "tld4.r", "tld4.g", "tld4.b", "tld4.a", "tex.level"};
