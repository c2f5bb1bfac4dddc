// Functions that streams call: they may print, and must not call the runtime.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }

void CUDART_CB done(cudaStream_t stream, cudaError_t error, void *data) {
    void *more;
    printf("done: %d, %d\n", (int)error, *(int *)data);
    printf("cudaMalloc: %d\n", cudaMalloc(&more, 4));
}

void CUDART_CB host(void *data) { printf("host: %d\n", ++*(int *)data); }

int main() {
    int *p, n = 7;
    cudaMalloc(&p, 128);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    fill<<<1, 32, 0, stream>>>(p);
    cudaStreamAddCallback(stream, done, &n, 0);
    cudaLaunchHostFunc(stream, host, &n);
    cudaLaunchHostFunc(stream, host, &n);
    cudaStreamSynchronize(stream);
    printf("end: %d\n", n);
    cudaStreamDestroy(stream);
    cudaFree(p);
}
