// The host's side of the product on pitched memory, in CUDA C, as the chapter shows it.
// nvcc -o product product.cu && ./product
#include "../../kernels/ch4-3/product.cu"
#include "check.h"
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    const size_t m = 100, n = 150, p = 70; // not multiples of a block's 16 x 16
    std::vector<float> a(m * n), b(n * p), c(m * p);
    for (size_t i = 0; i < m * n; i++) a[i] = i % 7 / 8.0f;
    for (size_t i = 0; i < n * p; i++) b[i] = i % 5 / 4.0f;

    // ANCHOR: host
    // A: rows of n floats, padded to the pitch that the driver chooses.
    cudaPitchedPtr a_at = {nullptr, 0, n * sizeof(float), m};
    CHECK(cudaMallocPitch(&a_at.ptr, &a_at.pitch, n * sizeof(float), m));
    // B and C: the same through a 3D extent with one slice; the width is in bytes.
    cudaPitchedPtr b_at, c_at;
    CHECK(cudaMalloc3D(&b_at, make_cudaExtent(p * sizeof(float), n, 1)));
    CHECK(cudaMalloc3D(&c_at, make_cudaExtent(p * sizeof(float), m, 1)));

    // Rows without gaps on the host, with gaps on the device: each side has its
    // own pitch. Then the width in bytes, and the height in rows.
    CHECK(cudaMemcpy2D(a_at.ptr, a_at.pitch, a.data(), n * sizeof(float),
                       n * sizeof(float), m, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(b_at.ptr, b_at.pitch, b.data(), p * sizeof(float),
                       p * sizeof(float), n, cudaMemcpyHostToDevice));

    // The pitch counts bytes, the stride elements.
    Matrix A = {m, n, (float *)a_at.ptr, a_at.pitch / sizeof(float)};
    Matrix B = {n, p, (float *)b_at.ptr, b_at.pitch / sizeof(float)};
    Matrix C = {m, p, (float *)c_at.ptr, c_at.pitch / sizeof(float)};
    // Rounded up, so that the grid covers the edges.
    dim3 block(16, 16);
    dim3 grid((p + block.x - 1) / block.x, (m + block.y - 1) / block.y);
    // The structures by value, with the device's pointers in them.
    product<<<grid, block>>>(A, B, C);
    CHECK(cudaGetLastError());

    cudaMemcpy3DParms copy = {}; // every field that is not set must be zero
    copy.srcPtr = c_at;
    copy.dstPtr =
        make_cudaPitchedPtr(c.data(), p * sizeof(float), p * sizeof(float), m);
    copy.extent = make_cudaExtent(p * sizeof(float), m, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy)); // waits for the kernel: both are in the default stream

    CHECK(cudaFree(a_at.ptr));
    CHECK(cudaFree(b_at.ptr));
    CHECK(cudaFree(c_at.ptr));
    // ANCHOR_END: host

    double worst = 0.0;
    for (size_t row = 0; row < m; row++)
        for (size_t column = 0; column < p; column++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++) sum += (double)a[row * n + k] * b[k * p + column];
            worst = std::fmax(worst, std::fabs(c[row * p + column] - sum));
        }
    printf("pitches %zu, %zu and %zu bytes; largest error %g\n", a_at.pitch, b_at.pitch, c_at.pitch, worst);
    return worst == 0.0 ? 0 : 1; // eighths and quarters: nothing is rounded
}
