// What is refused of copies to symbols, in CUDA C, as the chapter shows it.
// nvcc -o refused refused.cu && ./refused
#include "../../kernels/ch4-4/symbols.cu"
#include <cstdio>

int main() {
    float data[COUNT] = {}, eight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    // ANCHOR: refused
    // 4 floats too far; then something that is not a symbol; then a symbol's name.
    cudaError_t past =
        cudaMemcpyToSymbol(constData, eight, sizeof eight, 252 * sizeof(float));
    cudaError_t none = cudaMemcpyToSymbol((const void *)data, eight, sizeof eight);
    cudaError_t text = cudaMemcpyToSymbol("constData", eight, sizeof eight);
    printf("%s, %s, %s\n", cudaGetErrorName(past), cudaGetErrorName(none),
           cudaGetErrorName(text));
    // ANCHOR_END: refused
    return past == cudaErrorInvalidValue && none == cudaErrorInvalidSymbol && text == none ? 0 : 1;
}
