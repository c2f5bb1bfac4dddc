// Graphs: captured, forked and joined, made of nodes, changed and launched again.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t st_ = (x); if (st_ != cudaSuccess) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorName(st_)); } } while (0)
__global__ void add(float *a, float v, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += v; }
__global__ void mul(float *a, float v, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= v; }
static int calls = 0;
void CUDART_CB host(void *data) { calls++; float *p = (float *)data; p[0] = p[0] + 1000; }
int main() {
    const int n = 256;
    float *h, *d;
    CHECK(cudaMallocHost(&h, n * sizeof(float)));
    CHECK(cudaMalloc(&d, n * sizeof(float)));
    for (int i = 0; i < n; i++) h[i] = i;
    cudaStream_t s; CHECK(cudaStreamCreate(&s));
    cudaGraph_t g; cudaGraphExec_t e;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, s));
    add<<<1, n, 0, s>>>(d, 1.0f, n);
    mul<<<1, n, 0, s>>>(d, 2.0f, n);
    CHECK(cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, s));
    CHECK(cudaLaunchHostFunc(s, host, h));
    CHECK(cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, s));
    CHECK(cudaStreamEndCapture(s, &g));
    printf("h[1] before %g\n", h[1]);
    size_t count; CHECK(cudaGraphGetNodes(g, nullptr, &count)); printf("%zu nodes\n", count);
    std::vector<cudaGraphNode_t> nodes(count);
    CHECK(cudaGraphGetNodes(g, nodes.data(), &count));
    for (auto node : nodes) { cudaGraphNodeType t; CHECK(cudaGraphNodeGetType(node, &t)); printf("type %d\n", (int)t); }
    CHECK(cudaGraphInstantiate(&e, g, nullptr, nullptr, 0));
    for (int i = 0; i < 2; i++) { CHECK(cudaGraphLaunch(e, s)); CHECK(cudaStreamSynchronize(s)); printf("%g %g %d\n", h[0], h[1], calls); }
    CHECK(cudaGraphExecDestroy(e)); CHECK(cudaGraphDestroy(g));
    // fork and join
    cudaStream_t t; CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    cudaEvent_t fork, join; CHECK(cudaEventCreate(&fork)); CHECK(cudaEventCreate(&join));
    float *d2; CHECK(cudaMalloc(&d2, n * sizeof(float)));
    CHECK(cudaMemset(d2, 0, n * sizeof(float)));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, s));
    CHECK(cudaStreamWaitEvent(t, fork, 0));
    add<<<1, n, 0, s>>>(d, 1, n);
    add<<<1, n, 0, t>>>(d2, 1, n);
    CHECK(cudaEventRecord(join, t));
    CHECK(cudaStreamWaitEvent(s, join, 0));
    mul<<<1, n, 0, s>>>(d2, 3, n);
    CHECK(cudaStreamEndCapture(s, &g));
    CHECK(cudaGraphInstantiateWithFlags(&e, g, 0));
    CHECK(cudaGraphLaunch(e, s));
    CHECK(cudaGraphLaunch(e, s));
    CHECK(cudaMemcpyAsync(h, d2, n * sizeof(float), cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%g\n", h[5]);
    CHECK(cudaGraphExecDestroy(e)); CHECK(cudaGraphDestroy(g));
    // manual
    CHECK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t k1, k2, ms, cp, hn;
    cudaMemsetParams mp = {}; mp.dst = d2; mp.value = 0; mp.pitch = 0; mp.elementSize = sizeof(float); mp.width = n; mp.height = 1;
    CHECK(cudaGraphAddMemsetNode(&ms, g, nullptr, 0, &mp));
    float v = 7; int nn = n; void *args[] = {&d2, &v, &nn};
    cudaKernelNodeParams kp = {}; kp.func = (void *)add; kp.gridDim = dim3(1); kp.blockDim = dim3(n); kp.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&k1, g, &ms, 1, &kp));
    kp.func = (void *)mul;
    CHECK(cudaGraphAddKernelNode(&k2, g, nullptr, 0, &kp));
    CHECK(cudaGraphAddDependencies(g, &k1, &k2, 1));
    cudaMemcpy3DParms c = {}; c.srcPtr = make_cudaPitchedPtr(d2, n * sizeof(float), n, 1); c.dstPtr = make_cudaPitchedPtr(h, n * sizeof(float), n, 1); c.extent = make_cudaExtent(n * sizeof(float), 1, 1); c.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaGraphAddMemcpyNode(&cp, g, &k2, 1, &c));
    cudaHostNodeParams hp = {}; hp.fn = host; hp.userData = h;
    CHECK(cudaGraphAddHostNode(&hn, g, &cp, 1, &hp));
    CHECK(cudaGraphInstantiate(&e, g, 0));
    CHECK(cudaGraphLaunch(e, s)); CHECK(cudaStreamSynchronize(s));
    printf("%g %g\n", h[0], h[1]);
    v = 2;
    kp.func = (void *)add;
    CHECK(cudaGraphExecKernelNodeSetParams(e, k1, &kp));
    CHECK(cudaGraphLaunch(e, s)); CHECK(cudaStreamSynchronize(s));
    printf("%g %g\n", h[0], h[1]);
    cudaFree(d); cudaFree(d2); cudaFreeHost(h);
}
