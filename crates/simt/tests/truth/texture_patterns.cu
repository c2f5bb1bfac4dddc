// What a GPU counts of fetches and of accesses to surfaces. scripts/truth-textures compiles this and has ncu count it;
// crates/simt/tests/textures.rs holds the embedded device's counters to an H200's, and makes the same patterns.
//
// A launch of one warp for each pattern, and a line of JSON that says which.
#include "textures.cuh"
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
int main() {
    counters();
    return cudaDeviceSynchronize() != cudaSuccess;
}
