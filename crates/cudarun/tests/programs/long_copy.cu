// A copy that is longer than its destination, and whose error is not looked at.
#include <cstdio>

int main() {
    float h[64] = {}, *d;
    cudaMalloc(&d, 32 * sizeof(float));
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(d);
    printf("done\n");
    return 0;
}
