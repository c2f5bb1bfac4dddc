// The host's side of the stencil with constant memory, in CUDA C, as the chapter shows it.
// nvcc -o constant constant.cu && ./constant
#include "../../kernels/ch5-5/stencil.cu"
#include "check.h"
#include <cstdio>
#include <vector>

int main() {
    const int n = 1000;
    std::vector<float> input(n + 8), output(n + 8);
    for (int i = 0; i < n + 8; i++) input[i] = (long long)i * i % 256 / 100.0f;
    // ANCHOR: host
    const float coefficients[] = {0.0f, 0.8f, -0.2f, 0.03809f, -0.00357f};
    CHECK(cudaMemcpyToSymbol(coef, coefficients, sizeof coefficients));

    const size_t bytes = (n + 8) * sizeof(float); // a halo of 4 on both sides
    float *in, *out;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemcpy(in, input.data(), bytes, cudaMemcpyHostToDevice));

    const int block = 256;
    const int grid = (n + block - 1) / block, shared = (block + 8) * sizeof(float);
    stencil_constant<<<grid, block, shared>>>(in + 4, out + 4, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(output.data(), out, bytes, cudaMemcpyDeviceToHost));
    // ANCHOR_END: host
    printf("out[0] = %g, out[%d] = %g\n", output[4], n - 1, output[n + 3]);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
