// What a capture does not allow, and the errors of it.
#include <cstdio>
#include <cuda_runtime.h>
#define SHOW(x) do { cudaError_t st_ = (x); printf("%-70s %d %s\n", #x, (int)st_, cudaGetErrorName(st_)); } while (0)
__global__ void k(int *p) { *p += 1; }
int main() {
    int *d, *h; cudaMalloc(&d, 4); cudaMemset(d, 0, 4); cudaMallocHost(&h, 4);
    cudaStream_t s, t, u; cudaStreamCreate(&s); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaStreamCreate(&u);
    cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f);
    cudaGraph_t g = 0; cudaStreamCaptureStatus st; void *q = 0;
    auto G = cudaStreamCaptureModeGlobal, R = cudaStreamCaptureModeRelaxed;
    SHOW(cudaStreamBeginCapture(0, G));
    SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaMalloc(&q, 4)); k<<<1, 1, 0, s>>>(d); SHOW(cudaGetLastError()); SHOW(cudaStreamEndCapture(s, &g)); printf("g %d\n", g != 0);
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(t, G)); SHOW(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice)); SHOW(cudaStreamEndCapture(t, &g));
    SHOW(cudaStreamBeginCapture(s, R)); SHOW(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(t, R)); SHOW(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice)); SHOW(cudaMalloc(&q, 4)); SHOW(cudaStreamEndCapture(t, &g)); printf("g %d\n", g != 0);
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaStreamSynchronize(s)); SHOW(cudaStreamIsCapturing(s, &st)); printf("%d\n", st); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, R)); SHOW(cudaStreamSynchronize(u)); SHOW(cudaStreamQuery(s)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaStreamSynchronize(u)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, R)); SHOW(cudaDeviceSynchronize()); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); k<<<1, 1>>>(d); SHOW(cudaGetLastError()); SHOW(cudaStreamIsCapturing(0, &st)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaStreamIsCapturing(0, &st)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaEventRecord(f, u)); SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaStreamWaitEvent(s, f, 0)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaEventRecord(e, s)); SHOW(cudaEventQuery(e)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaEventSynchronize(e)); SHOW(cudaStreamWaitEvent(u, e, 0));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaEventRecord(e, s)); SHOW(cudaStreamWaitEvent(t, e, 0)); k<<<1, 1, 0, t>>>(d); SHOW(cudaStreamEndCapture(s, &g)); printf("g %d\n", g != 0);
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaEventRecord(e, s)); SHOW(cudaStreamWaitEvent(t, e, 0)); SHOW(cudaStreamEndCapture(t, &g)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaStreamBeginCapture(u, G)); SHOW(cudaEventRecord(e, s)); SHOW(cudaStreamWaitEvent(u, e, 0)); SHOW(cudaStreamEndCapture(s, &g)); SHOW(cudaStreamEndCapture(u, &g));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaStreamAddCallback(s, [](cudaStream_t, cudaError_t, void *) {}, 0, 0)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaEventCreate(&f)); SHOW(cudaStreamCreate(&u)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); k<<<1, 2000, 0, s>>>(d); SHOW(cudaGetLastError()); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); int local = 5; SHOW(cudaMemcpyAsync(d, &local, 4, cudaMemcpyHostToDevice, s)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaMemset(d, 0, 4)); SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaMallocAsync(&q, 1024, s)); SHOW(cudaFreeAsync(q, s)); SHOW(cudaStreamEndCapture(s, &g)); size_t n = 0; SHOW(cudaGraphGetNodes(g, 0, &n)); printf("%d\n", (int)n);
    SHOW(cudaStreamBeginCapture(s, G)); SHOW(cudaStreamDestroy(s));
    SHOW(cudaStreamEndCapture(s, &g));
    cudaGraphExec_t x; SHOW(cudaGraphInstantiate(&x, 0, 0)); SHOW(cudaGraphLaunch(0, 0));
}
