// Functions of graphs as C++ has them.
#pragma once
#include "cuda_runtime_api.h"

// Functions of graphs as toolkits before CUDA 13 and 12 have them.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, cudaGraphNode_t *pErrorNode,
                                        char *pLogBuffer, size_t bufferSize)
{
    if (pErrorNode)
        *pErrorNode = 0;
    if (pLogBuffer && bufferSize)
        *pLogBuffer = 0;
    return cudaGraphInstantiate(pGraphExec, graph, 0);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphNode_t *hErrorNode_out,
                                       cudaGraphExecUpdateResult *updateResult_out)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t status = cudaGraphExecUpdate(hGraphExec, hGraph, &info);
    *hErrorNode_out = info.errorNode;
    *updateResult_out = info.result;
    return status;
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                            size_t numDependencies)
{
    return cudaGraphAddDependencies(graph, from, to, 0, numDependencies);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                               size_t numDependencies)
{
    return cudaGraphRemoveDependencies(graph, from, to, 0, numDependencies);
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                    size_t numDependencies, cudaGraphNodeParams *nodeParams)
{
    return cudaGraphAddNode(pGraphNode, graph, pDependencies, 0, numDependencies, nodeParams);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *numEdges)
{
    return cudaGraphGetEdges(graph, from, to, 0, numEdges);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                                size_t *pNumDependencies)
{
    return cudaGraphNodeGetDependencies(node, pDependencies, 0, pNumDependencies);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                                  size_t *pNumDependentNodes)
{
    return cudaGraphNodeGetDependentNodes(node, pDependentNodes, 0, pNumDependentNodes);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *captureStatus_out,
                                            unsigned long long *id_out = 0, cudaGraph_t *graph_out = 0,
                                            const cudaGraphNode_t **dependencies_out = 0, size_t *numDependencies_out = 0)
{
    return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out, 0, numDependencies_out);
}
inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus *captureStatus_out,
                                               unsigned long long *id_out = 0, cudaGraph_t *graph_out = 0,
                                               const cudaGraphNode_t **dependencies_out = 0, size_t *numDependencies_out = 0)
{
    return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out, 0, numDependencies_out);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                       size_t numDependencies, unsigned int flags = 0)
{
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, 0, numDependencies, flags);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                  const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                  const T &symbol, const void *src, size_t count, size_t offset,
                                                  cudaMemcpyKind kind)
{
    return cudaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies, (const void *)&symbol, src, count,
                                          offset, kind);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                    const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                                    const T &symbol, size_t count, size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies, numDependencies, dst, (const void *)&symbol,
                                            count, offset, kind);
}
// A graph as a drawing by Graphviz.
inline cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int)
{
    const char *types[] = {"KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY", "EVENT_WAIT", "EVENT_RECORD", "", "",
                           "MEM_ALLOC", "MEM_FREE"};
    size_t count = 0, edges = 0;
    cudaError_t status = cudaGraphGetNodes(graph, 0, &count);
    if (status == cudaSuccess)
        status = cudaGraphGetEdges(graph, 0, 0, 0, &edges);
    FILE *file = status == cudaSuccess ? fopen(path, "w") : 0;
    if (!file)
        return status == cudaSuccess ? cudaErrorOperatingSystem : status;
    cudaGraphNode_t *nodes = (cudaGraphNode_t *)malloc((count + 2 * edges + 1) * sizeof(cudaGraphNode_t));
    cudaGraphNode_t *from = nodes + count, *to = from + edges;
    cudaGraphGetNodes(graph, nodes, &count);
    cudaGraphGetEdges(graph, from, to, 0, &edges);
    fprintf(file, "digraph dot {\n");
    for (size_t at = 0; at < count; at++) {
        cudaGraphNodeType type;
        cudaGraphNodeGetType(nodes[at], &type);
        fprintf(file, "\"node_%lu\" [label=\"%lu\\n%s\"];\n", at, at, types[type]);
    }
    for (size_t edge = 0; edge < edges; edge++) {
        size_t first = 0, second = 0;
        while (nodes[first] != from[edge])
            first++;
        while (nodes[second] != to[edge])
            second++;
        fprintf(file, "\"node_%lu\" -> \"node_%lu\";\n", first, second);
    }
    fprintf(file, "}\n");
    free(nodes);
    fclose(file);
    return cudaSuccess;
}
