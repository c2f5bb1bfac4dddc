// All threads write one element.
#include <cstdio>

__global__ void set(int *p) { p[0] = threadIdx.x; }

int main() {
    int *d, h;
    cudaMalloc(&d, sizeof h);
    set<<<1, 64>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("done\n");
    cudaFree(d);
    return 0;
}
