// Graphs: nodes made, asked, changed, copied. `nvcc api_graphs.cu` makes a program that prints the same on an H200.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
// What a call gives, where that is not success.
#define OK(call) do { cudaError_t st_ = (call); if (st_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(st_)); } while (0)
#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
__device__ int symbol[4];
__global__ void add(int *a, int by) { a[threadIdx.x] += by; }
static int calls = 0;
static void CUDART_CB count(void *by) { calls += *(int *)by; }
int main()
{
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    int h[4] = {1, 2, 3, 4}, back[4] = {}, from_symbol[4] = {}, one = 1, ten = 10, *d;
    OK(cudaMalloc(&d, sizeof h));
    cudaGraph_t graph, clone;
    OK(cudaGraphCreate(&graph, 0));
    // By the function for any kind.
    cudaGraphNode_t set, kernel, in, out, host, put, get, in_clone;
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeMemset;
    any.memset.dst = d;
    any.memset.elementSize = 4;
    any.memset.value = 7;
    any.memset.width = 4;
    any.memset.height = 1;
    SHOW(cudaGraphAddNode(&set, graph, nullptr, nullptr, 0, &any));
    int by = 5;
    void *arguments[] = {&d, &by};
    cudaKernelNodeParams launch;
    memset(&launch, 0, sizeof launch);
    launch.func = (void *)add;
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(4);
    launch.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&kernel, graph, &set, 1, &launch));
    OK(cudaGraphAddMemcpyNode1D(&out, graph, &kernel, 1, back, d, sizeof h, cudaMemcpyDeviceToHost));
    cudaHostNodeParams called = {count, &one};
    OK(cudaGraphAddHostNode(&host, graph, &out, 1, &called));
    SHOW(cudaGraphAddMemcpyNodeToSymbol(&put, graph, &out, 1, symbol, d, 2 * sizeof(int), sizeof(int), cudaMemcpyDeviceToDevice));
    SHOW(cudaGraphAddMemcpyNodeFromSymbol(&get, graph, &put, 1, from_symbol, symbol, sizeof from_symbol, 0, cudaMemcpyDeviceToHost));
    // What nodes say of themselves.
    cudaKernelNodeParams asked;
    SHOW(cudaGraphKernelNodeGetParams(kernel, &asked));
    printf("its kernel %d, %u threads\n", asked.func == (void *)add, asked.blockDim.x);
    cudaMemsetParams filled;
    SHOW(cudaGraphMemsetNodeGetParams(set, &filled));
    printf("value %u, %zu elements\n", filled.value, filled.width);
    cudaHostNodeParams what;
    SHOW(cudaGraphHostNodeGetParams(host, &what));
    printf("its function %d\n", what.fn == count && what.userData == &one);
    SHOW(cudaGraphKernelNodeGetParams(set, &asked));
    // A copy of the graph has its own nodes.
    SHOW(cudaGraphClone(&clone, graph));
    SHOW(cudaGraphNodeFindInClone(&in_clone, kernel, clone));
    printf("another node %d\n", in_clone != kernel);
    by = 50;
    SHOW(cudaGraphKernelNodeSetParams(in_clone, &launch));
    cudaKernelNodeAttrValue priority;
    memset(&priority, 0, sizeof priority);
    SHOW(cudaGraphKernelNodeSetAttribute(in_clone, cudaLaunchAttributePriority, &priority));
    cudaGraphExec_t exec;
    cudaGraphInstantiateParams instantiation;
    memset(&instantiation, 0, sizeof instantiation);
    SHOW(cudaGraphInstantiateWithParams(&exec, graph, &instantiation));
    printf("result %d\n", (int)instantiation.result_out);
    unsigned long long flags = 99;
    SHOW(cudaGraphExecGetFlags(exec, &flags));
    printf("flags %llu\n", flags);
    SHOW(cudaGraphUpload(exec, stream));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d %d, %d calls, symbol %d %d %d %d\n", back[0], back[3], calls, from_symbol[0], from_symbol[1], from_symbol[2], from_symbol[3]);
    cudaGraphExec_t cloned;
    OK(cudaGraphInstantiate(&cloned, clone, 0));
    OK(cudaGraphLaunch(cloned, stream));
    OK(cudaStreamSynchronize(stream));
    printf("the clone: %d, %d calls\n", back[0], calls);
    // What is instantiated is changed, and the graph is not.
    cudaHostNodeParams more = {count, &ten};
    SHOW(cudaGraphExecHostNodeSetParams(exec, host, &more));
    int other[4] = {};
    SHOW(cudaGraphExecMemcpyNodeSetParams1D(exec, out, other, d, sizeof other, cudaMemcpyDeviceToHost));
    SHOW(cudaGraphNodeSetEnabled(exec, set, 0));
    unsigned enabled = 1;
    SHOW(cudaGraphNodeGetEnabled(exec, set, &enabled));
    printf("enabled %u\n", enabled);
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d %d, %d calls\n", other[0], other[3], calls);
    // The graph's nodes, for those that are instantiated later.
    SHOW(cudaGraphHostNodeSetParams(host, &more));
    filled.value = 1;
    SHOW(cudaGraphMemsetNodeSetParams(set, &filled));
    SHOW(cudaGraphMemcpyNodeSetParams1D(out, other, d, sizeof other, cudaMemcpyDeviceToHost));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d, %d calls\n", other[2], calls);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphExecDestroy(cloned));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(graph));
    // Copies in three dimensions, events, and memory of the graph's own.
    OK(cudaGraphCreate(&graph, 0));
    cudaMemcpy3DParms parms;
    memset(&parms, 0, sizeof parms);
    parms.srcPtr = make_cudaPitchedPtr(h, sizeof h, 4, 1);
    parms.dstPtr = make_cudaPitchedPtr(d, sizeof h, 4, 1);
    parms.extent = make_cudaExtent(sizeof h, 1, 1);
    parms.kind = cudaMemcpyHostToDevice;
    OK(cudaGraphAddMemcpyNode(&in, graph, nullptr, 0, &parms));
    int reversed[4] = {40, 30, 20, 10};
    parms.srcPtr = make_cudaPitchedPtr(reversed, sizeof reversed, 4, 1);
    SHOW(cudaGraphMemcpyNodeSetParams(in, &parms));
    cudaEvent_t event;
    OK(cudaEventCreate(&event));
    cudaGraphNode_t record, wait, allocated, freed;
    SHOW(cudaGraphAddEventRecordNode(&record, graph, &in, 1, event));
    SHOW(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    cudaMemAllocNodeParams own;
    memset(&own, 0, sizeof own);
    own.poolProps.allocType = cudaMemAllocationTypePinned;
    own.poolProps.location.type = cudaMemLocationTypeDevice;
    own.bytesize = sizeof h;
    SHOW(cudaGraphAddMemAllocNode(&allocated, graph, &wait, 1, &own));
    cudaGraphNode_t there, again;
    OK(cudaGraphAddMemcpyNode1D(&there, graph, &allocated, 1, own.dptr, d, sizeof h, cudaMemcpyDeviceToDevice));
    OK(cudaGraphAddMemcpyNode1D(&again, graph, &there, 1, back, own.dptr, sizeof h, cudaMemcpyDeviceToHost));
    SHOW(cudaGraphAddMemFreeNode(&freed, graph, &again, 1, own.dptr));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
    parms.srcPtr = make_cudaPitchedPtr(h, sizeof h, 4, 1);
    SHOW(cudaGraphExecMemcpyNodeSetParams(exec, in, &parms));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
    SHOW(cudaEventQuery(event));
    SHOW(cudaGraphDebugDotPrint(graph, "/no/such/folder/graph.dot", 0));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaEventDestroy(event));
    SHOW(cudaDeviceGraphMemTrim(0));
    OK(cudaFree(d));
    OK(cudaStreamDestroy(stream));
}
