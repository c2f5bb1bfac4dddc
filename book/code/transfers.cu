// Copies from pinned memory that overlap with kernels, in CUDA C, as the chapter shows it.
// nvcc -o transfers transfers.cu && ./transfers
#include "check.h"
#include <cstdio>
#include <cstdlib>

__global__ void twice(float *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}

int main() {
    const int parts = 4, each = 1 << 18, n = parts * each;
    const size_t bytes = each * sizeof(float);
    float *host, *device;
    // ANCHOR: host
    CHECK(cudaMallocHost(&host, n * sizeof(float))); // pinned
    CHECK(cudaMalloc(&device, n * sizeof(float)));
    for (int i = 0; i < n; i++) host[i] = i;
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    cudaStream_t streams[2];
    for (cudaStream_t &stream : streams) CHECK(cudaStreamCreate(&stream));

    CHECK(cudaEventRecord(start));
    for (int part = 0; part < parts; part++) {
        cudaStream_t stream = streams[part % 2];
        float *h = host + part * each, *d = device + part * each;
        CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream));
        twice<<<each / 256, 256, 0, stream>>>(d, each);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaEventRecord(stop));
    CHECK(cudaDeviceSynchronize()); // only now has the host its results
    // ANCHOR_END: host
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += host[i] != 2.0f * i;
    printf("%d of %d values are wrong\n", wrong, n);
    float milliseconds;
    if (cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess) printf("%.3f ms\n", milliseconds);
    for (cudaStream_t &stream : streams) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(host));
    return wrong;
}
