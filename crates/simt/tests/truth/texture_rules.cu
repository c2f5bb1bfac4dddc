// Which addresses, pitches, sizes and combinations of sampling a driver takes, in lines to read: the checks of
// crates/simt/src/texture.rs are an H200's.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
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
int main() {
    rules();
    return cudaDeviceSynchronize() != cudaSuccess;
}
