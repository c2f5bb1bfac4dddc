// Streams and events: priorities, flags, numbers, attributes. `nvcc api_streams.cu` makes a program that prints the same on an H200.
#include <cstdio>
#include <cstring>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
// What a call gives, where that is not success.
#define OK(call) do { cudaError_t st_ = (call); if (st_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(st_)); } while (0)
#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
__global__ void add(int *a) { atomicAdd(a, 1); }
int main()
{
    int low, high, priority = 1, device = -1;
    OK(cudaDeviceGetStreamPriorityRange(&low, &high));
    cudaStream_t first, second, clamped;
    SHOW(cudaStreamCreateWithPriority(&first, cudaStreamNonBlocking, high));
    SHOW(cudaStreamCreateWithPriority(&second, cudaStreamDefault, low));
    SHOW(cudaStreamCreateWithPriority(&clamped, cudaStreamDefault, high - 10));
    SHOW(cudaStreamCreateWithPriority(nullptr, 0, 0));
    SHOW(cudaStreamCreateWithPriority(&second, 0xff, low));
    SHOW(cudaStreamGetPriority(first, &priority));
    printf("the highest %d\n", priority == high);
    OK(cudaStreamGetPriority(second, &priority));
    printf("the lowest %d\n", priority == low);
    OK(cudaStreamGetPriority(clamped, &priority));
    printf("clamped %d\n", priority == high);
    unsigned flags = 7;
    SHOW(cudaStreamGetFlags(first, &flags));
    printf("flags %u\n", flags);
    OK(cudaStreamGetFlags(second, &flags));
    printf("flags %u\n", flags);
    unsigned long long a = 0, b = 0, again = 0;
    SHOW(cudaStreamGetId(first, &a));
    OK(cudaStreamGetId(second, &b));
    OK(cudaStreamGetId(first, &again));
    printf("different %d, the same again %d\n", a != b, a == again);
    SHOW(cudaStreamGetId(first, nullptr));
    SHOW(cudaStreamGetDevice(first, &device));
    printf("device %d\n", device);
    cudaStreamAttrValue value, copied;
    memset(&value, 0, sizeof value);
    memset(&copied, 0, sizeof copied);
    value.syncPolicy = cudaSyncPolicyYield;
    OK(cudaStreamSetAttribute(first, cudaLaunchAttributeSynchronizationPolicy, &value));
    SHOW(cudaStreamCopyAttributes(second, first));
    OK(cudaStreamGetAttribute(second, cudaLaunchAttributeSynchronizationPolicy, &copied));
    printf("copied %d\n", copied.syncPolicy == cudaSyncPolicyYield);
    int *managed;
    OK(cudaMallocManaged(&managed, sizeof(int)));
    *managed = 5;
    SHOW(cudaStreamAttachMemAsync(first, managed, 0, cudaMemAttachSingle));
    SHOW(cudaStreamAttachMemAsync(first, managed, 0, 0x77));
    OK(cudaStreamSynchronize(first));
    add<<<1, 32, 0, first>>>(managed);
    OK(cudaStreamSynchronize(first));
    printf("%d\n", *managed);
    cudaEvent_t event, timed;
    SHOW(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync));
    SHOW(cudaEventCreateWithFlags(&timed, 0xff));
    SHOW(cudaEventCreateWithFlags(&timed, cudaEventDefault));
    SHOW(cudaEventRecordWithFlags(event, first, cudaEventRecordDefault));
    SHOW(cudaEventRecordWithFlags(timed, first, 0x77));
    OK(cudaEventSynchronize(event));
    SHOW(cudaEventQuery(event));
    OK(cudaEventRecord(timed, first));
    OK(cudaEventSynchronize(timed));
    float ms;
    SHOW(cudaEventElapsedTime(&ms, event, timed));
    // A graph that is there already takes what a stream captures.
    cudaGraph_t graph, captured;
    cudaGraphExec_t exec;
    OK(cudaGraphCreate(&graph, 0));
    SHOW(cudaStreamBeginCaptureToGraph(first, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 32, 0, first>>>(managed);
    OK(cudaStreamEndCapture(first, &captured));
    size_t count = 0;
    OK(cudaGraphGetNodes(graph, nullptr, &count));
    printf("%d, %zu node\n", graph == captured, count);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, first));
    OK(cudaStreamSynchronize(first));
    printf("%d\n", *managed);
    SHOW(cudaProfilerStart());
    SHOW(cudaProfilerStop());
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaEventDestroy(event));
    OK(cudaEventDestroy(timed));
    OK(cudaFree(managed));
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
    OK(cudaStreamDestroy(clamped));
}
