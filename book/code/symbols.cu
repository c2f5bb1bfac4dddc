// The host's side of symbols, in CUDA C, as the chapter shows it.
// nvcc -o symbols symbols.cu && ./symbols
#include "../../kernels/ch4-4/symbols.cu"
#include "check.h"
#include <cstdio>

int main() {
    float data[COUNT], eight[8] = {1, 2, 3, 4, 5, 6, 7, 8}, found[COUNT];
    for (int i = 0; i < COUNT; i++) data[i] = i / 256.0f;
    // ANCHOR: constant
    // The whole array; then 8 elements from element 40 on; then the whole array back.
    CHECK(cudaMemcpyToSymbol(constData, data, sizeof data));
    CHECK(cudaMemcpyToSymbol(constData, eight, sizeof eight, 40 * sizeof(float)));
    CHECK(cudaMemcpyFromSymbol(found, constData, sizeof found));
    // ANCHOR_END: constant
    // ANCHOR: variables
    float value = 2.5f;
    CHECK(cudaMemcpyToSymbol(devData, &value, sizeof value));

    float *pointed;
    CHECK(cudaMalloc(&pointed, COUNT * sizeof(float)));
    // The pointer, not what it points to.
    CHECK(cudaMemcpyToSymbol(devPointer, &pointed, sizeof pointed));
    CHECK(cudaMemcpy(pointed, data, sizeof data, cudaMemcpyHostToDevice));
    // ANCHOR_END: variables
    // ANCHOR: device
    // 64 values in device memory, from element 32 on, to elements 100 to 163:
    // the host only requests the copy.
    CHECK(cudaMemcpyToSymbolAsync(constData, pointed + 32, 64 * sizeof(float),
                                  100 * sizeof(float), cudaMemcpyDeviceToDevice, 0));
    // ANCHOR_END: device
    float *out;
    CHECK(cudaMalloc(&out, 1000 * sizeof(float)));
    use_symbols<<<4, 256>>>(out, 1000);
    CHECK(cudaGetLastError());
    float first, later;
    CHECK(cudaMemcpy(&first, out + 41, sizeof first, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&later, out + 110, sizeof later, cudaMemcpyDeviceToHost));
    printf("out[41] = %g, out[110] = %g\n", first, later);
    bool right = first == fmaf(2.0f, value, data[41]) && later == fmaf(data[42], value, data[110]) && found[40] == 1.0f;
    CHECK(cudaFree(out));
    CHECK(cudaFree(pointed));
    return right ? 0 : 1;
}
