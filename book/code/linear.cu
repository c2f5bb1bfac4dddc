// The host's side of the sum of two vectors, in CUDA C, as the chapter shows it.
// nvcc -o linear linear.cu && ./linear
#include "../../kernels/ch4-1/add.cu"
#include "check.h"
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
    const int n = 1000003;
    std::vector<float> host_a(n), host_b(n), host_c(n);
    for (int i = 0; i < n; i++) host_a[i] = i, host_b[i] = n - i;
    // ANCHOR: host
    const size_t bytes = n * sizeof(float);
    float *a, *b, *c;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    CHECK(cudaMemcpy(a, host_a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, host_b.data(), bytes, cudaMemcpyHostToDevice));

    const int block = 256;
    add<<<(n + block - 1) / block, block>>>(a, b, c, n);
    CHECK(cudaGetLastError()); // of the launch itself
    // Waits for the kernel, then copies.
    CHECK(cudaMemcpy(host_c.data(), c, bytes, cudaMemcpyDeviceToHost));

    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    // ANCHOR_END: host
    printf("c[0] = %g, c[%d] = %g\n", host_c[0], n - 1, host_c[n - 1]);

    // ANCHOR: pinned
    float *pinned;
    CHECK(cudaMallocHost(&pinned, bytes)); // instead of malloc
    memcpy(pinned, host_a.data(), bytes);
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMemcpy(a, pinned, bytes, cudaMemcpyHostToDevice));
    // ANCHOR_END: pinned
    CHECK(cudaFree(a));
    CHECK(cudaFreeHost(pinned));
    return 0;
}
