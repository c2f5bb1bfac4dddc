// A launch that fails: too many threads a block.
#include <cstdio>

__global__ void set(int *p) { p[threadIdx.x] = 1; }

int main() {
    int *p;
    cudaMalloc(&p, 4096 * sizeof(int));
    set<<<1, 2048>>>(p);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(p);
    return 0;
}
