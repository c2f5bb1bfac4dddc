// Slices of rows with a pitch: three dimensions, in CUDA C, as the chapter shows it.
// nvcc -o slices slices.cu && ./slices
#include "check.h"
#include <cstdio>
#include <vector>

// ANCHOR: kernel
// A slice has `height` rows, each `pitch` bytes long, and the next one follows it.
__global__ void add_slice(cudaPitchedPtr slices, int width, int height) {
    int col = threadIdx.x, row = threadIdx.y, slice = blockIdx.x;
    if (col >= width || row >= height) return;
    char *start = (char *)slices.ptr + slice * slices.pitch * height;
    float *line = (float *)(start + row * slices.pitch);
    line[col] += 100 * slice;
}
// ANCHOR_END: kernel

int main() {
    // ANCHOR: host
    const int width = 60, height = 4, depth = 3;
    std::vector<float> host(width * height * depth), found(host.size());
    for (int i = 0; i < width * height * depth; i++) host[i] = i;

    // The width in bytes, the height in rows, the depth in slices.
    cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
    cudaPitchedPtr slices;
    CHECK(cudaMalloc3D(&slices, extent));

    cudaMemcpy3DParms in = {};
    in.srcPtr = make_cudaPitchedPtr(host.data(), width * sizeof(float), width, height);
    in.dstPtr = slices;
    in.extent = extent;
    in.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&in));

    add_slice<<<depth, dim3(64, 8)>>>(slices, width, height);
    CHECK(cudaGetLastError());

    cudaMemcpy3DParms out = {};
    out.srcPtr = slices;
    out.dstPtr = make_cudaPitchedPtr(found.data(), width * sizeof(float), width, height);
    out.extent = extent;
    out.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&out));
    // ANCHOR_END: host
    printf("pitch %zu, so a slice has %zu bytes\n", slices.pitch, slices.pitch * height);
    for (int slice = 0; slice < depth; slice++)
        printf("slice %d begins with %g and ends with %g\n", slice, found[slice * height * width],
               found[(slice + 1) * height * width - 1]);
    CHECK(cudaFree(slices.ptr));
    return 0;
}
