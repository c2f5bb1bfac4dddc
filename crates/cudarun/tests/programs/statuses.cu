// Errors of the runtime that its manual does not say. An H200 prints the same: driver 580.159.04, CUDA 13.0,
// `nvcc -arch=sm_90 statuses.cu && ./a.out`.
#include <cstdio>
#define SHOW(call)                                                       \
    do {                                                                 \
        cudaError_t error = (call);                                      \
        printf("%s: %d %s\n", #call, (int)error, cudaGetErrorName(error)); \
    } while (0)

__global__ void fine() {}
__global__ void trap() { __trap(); }
static char h[4096];

static void copies() {
    void *p = (void *)1;
    int *d, *e;
    SHOW(cudaMalloc(&p, 0));
    printf("%d\n", p == nullptr);
    SHOW(cudaMalloc(&d, 32));
    SHOW(cudaMalloc(&e, 32));
    SHOW(cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(d, e, 8, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(d, e, 8, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(d, h, 8, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(h, d, 8, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(d, h, 8, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(d, h, 8, (cudaMemcpyKind)7));
    SHOW(cudaGetLastError());
    SHOW(cudaMemset(d, 0, 0));
    SHOW(cudaMemset(h, 0, 8));
    SHOW(cudaMemset(d, 0, 64));
    SHOW(cudaMemcpy(d, h, 64, cudaMemcpyDefault));
    SHOW(cudaFree(d + 1));
    SHOW(cudaFree(h));
    SHOW(cudaFree(d));
    SHOW(cudaFree(d));
    SHOW(cudaFreeHost(h));
    SHOW(cudaFree(nullptr));
}

static void pitches() {
    char *p;
    size_t pitch;
    SHOW(cudaMallocPitch(&p, &pitch, 0, 4));
    SHOW(cudaMallocPitch(&p, &pitch, 100, 8));
    SHOW(cudaMemcpy2D(p, 50, h, 60, 60, 1, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, pitch, h, 50, 60, 1, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, 50, h, 60, 60, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, pitch, h, 50, 60, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(h, 50, p, pitch, 60, 2, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy2D(h, 60, p, 50, 60, 2, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy2D(h, 60, h + 2000, 50, 60, 2, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy2D(p, 50, h, 60, 60, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, 50, h, 60, 0, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemset2D(p, 50, 0, 60, 1));
    SHOW(cudaMemset2D(p, 50, 0, 60, 2));
    SHOW(cudaMemset2D(p, pitch, 0, 100, 9));
    SHOW(cudaMemcpy2D(p, pitch, h, 100, 100, 9, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(p, pitch, h, 100, 100, 9, (cudaMemcpyKind)9));
    cudaExtent e = make_cudaExtent(100, 2, 2);
    cudaPitchedPtr q;
    SHOW(cudaMalloc3D(&q, e));
    printf("%zu\n", q.pitch);
    cudaMemcpy3DParms m = {};
    m.srcPtr = make_cudaPitchedPtr(h, 50, 50, 2);
    m.dstPtr = q;
    m.extent = e;
    m.kind = cudaMemcpyHostToDevice;
    SHOW(cudaMemcpy3D(&m));
    m.srcPtr = make_cudaPitchedPtr(h, 100, 100, 1);
    SHOW(cudaMemcpy3D(&m));
    m.extent = make_cudaExtent(100, 3, 3);
    SHOW(cudaMemcpy3D(&m));
    SHOW(cudaGetLastError());
}

static void events_and_launches() {
    cudaEvent_t a, b;
    float ms;
    SHOW(cudaEventCreate(&a));
    SHOW(cudaEventCreate(&b));
    SHOW(cudaEventElapsedTime(&ms, a, b));
    SHOW(cudaGetLastError());
    SHOW(cudaSetDevice(100));
    SHOW(cudaGetLastError());
    fine<<<0, 1>>>();
    SHOW(cudaGetLastError());
    fine<<<1, 1, 300000>>>();
    SHOW(cudaGetLastError());
    fine<<<1, 1025>>>();
    SHOW(cudaPeekAtLastError());
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    trap<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    int *d;
    SHOW(cudaMalloc(&d, 4));
}

int main() {
    copies();
    pitches();
    events_and_launches();
    return 0;
}
