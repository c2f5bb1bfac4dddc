// A kernel that writes past the end of its buffer.
#include <cstdio>

__global__ void set(int *p) { p[threadIdx.x] = 1; }

int main() {
    int *p;
    cudaMalloc(&p, 32 * sizeof(int));
    set<<<1, 64>>>(p);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
