// Parts of an array on two streams: a copy, a kernel and a copy back, each while the other stream does another.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void scale(float *p, int n, float f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= f; }
int main() {
    const int n = 1 << 18, parts = 4; float *h, *d;
    cudaMallocHost(&h, n * sizeof(float)); cudaMalloc(&d, n * sizeof(float));
    for (int i = 0; i < n; i++) h[i] = i;
    cudaStream_t s[2]; for (auto &one : s) cudaStreamCreate(&one);
    for (int k = 0; k < parts; k++) {
        int m = n / parts; float *from = h + k * m, *at = d + k * m; cudaStream_t on = s[k % 2];
        cudaMemcpyAsync(at, from, m * sizeof(float), cudaMemcpyHostToDevice, on);
        scale<<<(m + 255) / 256, 256, 0, on>>>(at, m, 2);
        cudaMemcpyAsync(from, at, m * sizeof(float), cudaMemcpyDeviceToHost, on);
    }
    cudaDeviceSynchronize();
    printf("%g\n", h[n - 1]);
    for (auto &one : s) cudaStreamDestroy(one);
    cudaFree(d); cudaFreeHost(h);
}
