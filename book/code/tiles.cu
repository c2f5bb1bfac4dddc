// The host's side of the product by tiles, in CUDA C, as the chapter shows it.
// nvcc -o tiles tiles.cu && ./tiles
#include "../../kernels/ch4-5/tiles.cu"
#include "check.h"
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    const unsigned m = 300, n = 200, p = 270;
    std::vector<float> a(m * n), b(n * p), c(m * p), d(m * p);
    for (size_t i = 0; i < a.size(); i++) a[i] = i % 7 / 8.0f;
    for (size_t i = 0; i < b.size(); i++) b[i] = i % 5 / 4.0f;
    Matrix A = {m, n}, B = {n, p}, C = {m, p};
    for (Matrix *matrix : {&A, &B, &C}) {
        size_t pitch;
        CHECK(cudaMallocPitch((void **)&matrix->elements, &pitch, matrix->columns * sizeof(float), matrix->rows));
        matrix->stride = pitch / sizeof(float);
    }
    auto pitch = [](const Matrix &matrix) { return matrix.stride * sizeof(float); };
    CHECK(cudaMemcpy2D(A.elements, pitch(A), a.data(), n * 4, n * 4, m, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(B.elements, pitch(B), b.data(), p * 4, p * 4, n, cudaMemcpyHostToDevice));

    // ANCHOR: host
    // A block for each tile of C, including those at the edges. The size of a tile
    // in shared memory is part of the kernel, so the block must have that shape.
    dim3 block(16, 16);
    tiled_16<<<dim3((p + 15) / 16, (m + 15) / 16), block>>>(A, B, C);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(c.data(), p * 4, C.elements, pitch(C), p * 4, m,
                       cudaMemcpyDeviceToHost));

    // The same threads, and 8 x 8 elements for each of them: a tile of 128 x 128.
    blocked_8<<<dim3((p + 127) / 128, (m + 127) / 128), block>>>(A, B, C);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(d.data(), p * 4, C.elements, pitch(C), p * 4, m,
                       cudaMemcpyDeviceToHost));

    // How many such blocks a multiprocessor has room for, by registers, shared
    // memory and threads.
    int blocks;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, blocked_8, 256, 0));
    // ANCHOR_END: host

    double worst = 0.0;
    for (size_t row = 0; row < m; row++)
        for (size_t column = 0; column < p; column++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++) sum += (double)a[row * n + k] * b[k * p + column];
            for (const float *found : {c.data(), d.data()}) worst = std::fmax(worst, std::fabs(found[row * p + column] - sum));
        }
    printf("%d blocks of blocked_8 fit; largest error %g\n", blocks, worst);
    for (Matrix *matrix : {&A, &B, &C}) CHECK(cudaFree(matrix->elements));
    return worst == 0.0 ? 0 : 1;
}
