// The driver API, as far as programs use it that launch their kernels by `<<<…>>>`: devices, contexts, memory, streams and events,
// made of the runtime API, whose errors have the same numbers. Modules and launches are refused by name.
#pragma once
#include "cuda_runtime.h"

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;

#define CU_STREAM_DEFAULT 0x0
#define CU_STREAM_NON_BLOCKING 0x1
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_EVENT_DEFAULT 0x0
#define CU_EVENT_BLOCKING_SYNC 0x1
#define CU_EVENT_DISABLE_TIMING 0x2
#define CU_CTX_SCHED_AUTO 0x00
#define CU_CTX_SCHED_SPIN 0x01
#define CU_CTX_SCHED_YIELD 0x02
#define CU_CTX_SCHED_BLOCKING_SYNC 0x04
#define CU_CTX_MAP_HOST 0x08
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEM_ATTACH_GLOBAL 0x1
#define CU_MEM_ATTACH_HOST 0x2
#define CU_MEM_ATTACH_SINGLE 0x4
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
    CUDA_ERROR_INVALID_SOURCE = 300,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_OPERATING_SYSTEM = 304,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_ILLEGAL_STATE = 401,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_NOT_PERMITTED = 800,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999,
} CUresult;

typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
    CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120,
} CUdevice_attribute;

struct CUctxCreateParams;

// Whether `cuInit` was called, and how many contexts the program has made.
inline int *__cuState()
{
    static int state[2];
    return state;
}
// What a call without a context returns.
inline CUresult __cuReady(int contexts)
{
    if (!__cuState()[0])
        return CUDA_ERROR_NOT_INITIALIZED;
    return __cuState()[1] < contexts ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}
#define __CU_CALL(contexts, call)                                                                                               \
    do {                                                                                                                        \
        CUresult ready = __cuReady(contexts);                                                                                   \
        return ready ? ready : (CUresult)(call);                                                                                \
    } while (0)

inline CUresult cuInit(unsigned int flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    __cuState()[0] = 1;
    return CUDA_SUCCESS;
}
inline CUresult cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }
inline CUresult cuGetErrorName(CUresult error, const char **text)
{
    static char name[64];
    const char *of = cudaGetErrorName((cudaError_t)error);
    const struct {
        CUresult error;
        const char *name;
    } names[] = {
        {CUDA_SUCCESS, "CUDA_SUCCESS"},
        {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
        {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
        {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
        {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
        {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE"},
        {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
        {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
        {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY"},
        {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS"},
        {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"},
        {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED"},
        {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN"},
    };
    if (!strcmp(of, "unrecognized error code")) {
        *text = 0;
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (auto &one : names)
        if (one.error == error) {
            *text = one.name;
            return CUDA_SUCCESS;
        }
    // `cudaErrorSomeThing` is `CUDA_ERROR_SOME_THING`.
    char *to = name + sprintf(name, "CUDA_ERROR");
    for (of += 9; *of && to < name + sizeof(name) - 3; of++) {
        if (*of >= 'A' && *of <= 'Z')
            *to++ = '_';
        *to++ = *of >= 'a' && *of <= 'z' ? *of - 32 : *of;
    }
    *to = 0;
    *text = name;
    return CUDA_SUCCESS;
}
inline CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}

// Devices
inline CUresult cuDeviceGetCount(int *count) { __CU_CALL(0, cudaGetDeviceCount(count)); }
inline CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult ready = __cuReady(0);
    if (ready)
        return ready;
    int count;
    cudaGetDeviceCount(&count);
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (ordinal < 0 || ordinal >= count)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
    cudaDeviceProp prop;
    CUresult status = __cuReady(0);
    if (!status)
        status = (CUresult)cudaGetDeviceProperties(&prop, dev);
    if (!status && len > 0)
        snprintf(name, len, "%s", prop.name);
    return status;
}
inline CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    cudaDeviceProp prop;
    CUresult status = __cuReady(0);
    if (!status)
        status = (CUresult)cudaGetDeviceProperties(&prop, dev);
    if (!status)
        *bytes = prop.totalGlobalMem;
    return status;
}
inline CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice dev)
{
    __CU_CALL(0, cudaDeviceGetAttribute(value, (cudaDeviceAttr)attribute, dev));
}
inline CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
    cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev);
    return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, dev);
}

// Contexts: all are that of the one device.
inline CUresult cuCtxCreate(CUcontext *context, unsigned int, CUdevice dev)
{
    CUresult status = __cuReady(0);
    if (status)
        return status;
    if (dev)
        return CUDA_ERROR_INVALID_DEVICE;
    *context = (CUcontext)(size_t)(0x1000 + ++__cuState()[1]);
    return CUDA_SUCCESS;
}
inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *, unsigned int flags, CUdevice dev)
{
    return cuCtxCreate(context, flags, dev);
}
inline CUresult cuCtxDestroy(CUcontext context)
{
    CUresult status = __cuReady(1);
    if (!status && !context)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!status)
        __cuState()[1]--;
    return status;
}
inline CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice dev) { return cuCtxCreate(context, 0, dev); }
inline CUresult cuDevicePrimaryCtxRelease(CUdevice)
{
    CUresult status = __cuReady(1);
    if (!status)
        __cuState()[1]--;
    return status;
}
inline CUresult cuCtxSetCurrent(CUcontext) { return __cuReady(0); }
inline CUresult cuCtxPushCurrent(CUcontext) { return __cuReady(0); }
inline CUresult cuCtxPopCurrent(CUcontext *) { return __cuReady(0); }
inline CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = __cuState()[1] ? (CUcontext)(size_t)(0x1000 + __cuState()[1]) : 0;
    return __cuReady(0);
}
inline CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return __cuReady(1);
}
inline CUresult cuCtxSynchronize() { __CU_CALL(1, cudaDeviceSynchronize()); }

// Memory
inline CUresult cuMemAlloc(CUdeviceptr *to, size_t bytes)
{
    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    __CU_CALL(1, cudaMalloc((void **)to, bytes));
}
inline CUresult cuMemAllocPitch(CUdeviceptr *to, size_t *pitch, size_t width, size_t height, unsigned int)
{
    __CU_CALL(1, cudaMallocPitch((void **)to, pitch, width, height));
}
inline CUresult cuMemAllocManaged(CUdeviceptr *to, size_t bytes, unsigned int flags)
{
    __CU_CALL(1, cudaMallocManaged((void **)to, bytes, flags));
}
inline CUresult cuMemAllocHost(void **to, size_t bytes) { __CU_CALL(1, cudaMallocHost(to, bytes)); }
inline CUresult cuMemHostAlloc(void **to, size_t bytes, unsigned int flags) { __CU_CALL(1, cudaHostAlloc(to, bytes, flags)); }
inline CUresult cuMemFree(CUdeviceptr at) { __CU_CALL(1, cudaFree((void *)at)); }
inline CUresult cuMemFreeHost(void *at) { __CU_CALL(1, cudaFreeHost(at)); }
inline CUresult cuMemGetInfo(size_t *free, size_t *total) { __CU_CALL(1, cudaMemGetInfo(free, total)); }
inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    __CU_CALL(1, cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice));
}
inline CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    __CU_CALL(1, cudaMemcpy(to, (const void *)from, bytes, cudaMemcpyDeviceToHost));
}
inline CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    __CU_CALL(1, cudaMemcpy((void *)to, (const void *)from, bytes, cudaMemcpyDeviceToDevice));
}
inline CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    __CU_CALL(1, cudaMemcpy((void *)to, (const void *)from, bytes, cudaMemcpyDefault));
}
inline CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    __CU_CALL(1, cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, stream));
}
inline CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    __CU_CALL(1, cudaMemcpyAsync(to, (const void *)from, bytes, cudaMemcpyDeviceToHost, stream));
}
inline CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    __CU_CALL(1, cudaMemcpyAsync((void *)to, (const void *)from, bytes, cudaMemcpyDeviceToDevice, stream));
}
inline CUresult cuMemsetD8(CUdeviceptr at, unsigned char value, size_t count) { __CU_CALL(1, cudaMemset((void *)at, value, count)); }
inline CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t count, CUstream stream)
{
    __CU_CALL(1, cudaMemsetAsync((void *)at, value, count, stream));
}
// Memory is set to words by a graph, whose nodes have elements of up to four bytes.
inline CUresult __cuSet(CUdeviceptr at, unsigned int value, unsigned int bytes, size_t count)
{
    if (!count)
        return CUDA_SUCCESS;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t executable;
    cudaMemsetParams params = {(void *)at, 0, value, bytes, count, 1};
    cudaGraphCreate(&graph, 0);
    cudaError_t status = cudaGraphAddMemsetNode(&node, graph, 0, 0, &params);
    if (status == cudaSuccess)
        status = cudaGraphInstantiate(&executable, graph, 0);
    if (status == cudaSuccess) {
        status = cudaGraphLaunch(executable, 0);
        cudaGraphExecDestroy(executable);
    }
    cudaGraphDestroy(graph);
    return (CUresult)status;
}
inline CUresult cuMemsetD16(CUdeviceptr at, unsigned short value, size_t count) { __CU_CALL(1, __cuSet(at, value, 2, count)); }
inline CUresult cuMemsetD32(CUdeviceptr at, unsigned int value, size_t count) { __CU_CALL(1, __cuSet(at, value, 4, count)); }

// Streams and events
inline CUresult cuStreamCreate(CUstream *stream, unsigned int flags) { __CU_CALL(1, cudaStreamCreateWithFlags(stream, flags)); }
inline CUresult cuStreamDestroy(CUstream stream) { __CU_CALL(1, cudaStreamDestroy(stream)); }
inline CUresult cuStreamSynchronize(CUstream stream) { __CU_CALL(1, cudaStreamSynchronize(stream)); }
inline CUresult cuStreamQuery(CUstream stream) { __CU_CALL(1, cudaStreamQuery(stream)); }
inline CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    __CU_CALL(1, cudaStreamWaitEvent(stream, event, flags));
}
inline CUresult cuEventCreate(CUevent *event, unsigned int flags) { __CU_CALL(1, cudaEventCreateWithFlags(event, flags)); }
inline CUresult cuEventDestroy(CUevent event) { __CU_CALL(1, cudaEventDestroy(event)); }
inline CUresult cuEventRecord(CUevent event, CUstream stream) { __CU_CALL(1, cudaEventRecord(event, stream)); }
inline CUresult cuEventSynchronize(CUevent event) { __CU_CALL(1, cudaEventSynchronize(event)); }
inline CUresult cuEventQuery(CUevent event) { __CU_CALL(1, cudaEventQuery(event)); }
inline CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) { __CU_CALL(1, cudaEventElapsedTime(ms, start, end)); }
inline CUresult cuProfilerStart() { __CU_CALL(1, cudaProfilerStart()); }
inline CUresult cuProfilerStop() { __CU_CALL(1, cudaProfilerStop()); }
#undef __CU_CALL
