// What a GPU's textures give. scripts/truth-textures compiles and runs this; crates/simt/tests/textures.rs holds the
// embedded device to what it printed on an H200, and makes the same texels and coordinates
// (crates/simt/tests/textures/inputs.rs).
//
// A line of JSON for each configuration of a texture: a hash of what its fetches gave, or, where the embedded device does
// not find all bits, the results of the first of them.
#include "textures.cuh"
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

int main() {
    auto v = configs();
    for (size_t i = 0; i < v.size(); i++) run(v[i], (int)i);
    return cudaDeviceSynchronize() != cudaSuccess;
}
