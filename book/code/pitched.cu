// The host's side of pitched and 3D memory, in CUDA C, as the chapter shows it.
// nvcc -o pitched pitched.cu && ./pitched
#include "../../kernels/ch4-2/rows.cu"
#include "check.h"
#include <cstdio>
#include <vector>

int main() {
    // ANCHOR: pitches
    for (size_t floats : {15, 128, 255}) {
        float *rows;
        size_t pitch;
        CHECK(cudaMallocPitch(&rows, &pitch, floats * sizeof(float), 15));
        printf("%zu\n", pitch);
        CHECK(cudaFree(rows));
    }
    for (size_t floats : {15, 128, 255}) {
        cudaPitchedPtr slices;
        CHECK(cudaMalloc3D(&slices, make_cudaExtent(floats * sizeof(float), 15, 3)));
        printf("%zu %zu %zu\n", slices.pitch, slices.xsize, slices.ysize);
        CHECK(cudaFree(slices.ptr));
    }
    // ANCHOR_END: pitches

    // ANCHOR: copies
    const int width = 15, height = 15;
    const size_t row = width * sizeof(float); // bytes
    std::vector<float> host(width * height), doubled(host.size());
    for (int i = 0; i < width * height; i++) host[i] = i;
    float *from, *to;
    size_t from_pitch, to_pitch;
    CHECK(cudaMallocPitch(&from, &from_pitch, row, height));
    CHECK(cudaMallocPitch(&to, &to_pitch, row, height));

    CHECK(cudaMemcpy2D(from, from_pitch, host.data(), row, row, height, cudaMemcpyHostToDevice));
    scale<<<dim3(1, 2), dim3(32, 8)>>>(from, from_pitch, to, to_pitch, width, height);
    CHECK(cudaGetLastError());

    cudaMemcpy3DParms copy = {}; // every field that is not set must be zero
    copy.srcPtr = make_cudaPitchedPtr(to, to_pitch, row, height);
    copy.dstPtr = make_cudaPitchedPtr(doubled.data(), row, row, height);
    copy.extent = make_cudaExtent(row, height, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    // ANCHOR_END: copies
    printf("the last element: %g\n", doubled.back());
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    return 0;
}
