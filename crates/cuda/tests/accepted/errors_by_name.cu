// The names and texts of errors, which macros for both sides print.
#include <cstdio>
#define CHECK(call) \
    do { \
        cudaError_t error = (call); \
        if (error != cudaSuccess) printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error)); \
    } while (0)
__device__ cudaError_t f(int n) { return n > 2 ? cudaErrorIllegalAddress : cudaSuccess; }
__global__ void k(int n) { CHECK(f(n)); }
void host() { CHECK(cudaMalloc(nullptr, 4)); }
