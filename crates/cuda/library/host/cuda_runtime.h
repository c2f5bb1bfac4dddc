// The runtime API as C++ has it: types of pointers, symbols and kernels by themselves.
#pragma once
#include "unwind.inc"
#include "cuda_runtime_api.h"
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <time.h>
#include <math.h>
#include <assert.h>
#include "channel_descriptor.h"
#include "driver_functions.h"
#include "graph_functions.h"

// Functions of gcc's that need no header.
inline int __builtin_popcountll(unsigned long long x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    return int((x + (x >> 4) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}
inline int __builtin_popcount(unsigned x) { return __builtin_popcountll(x); }
inline int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }
inline int __builtin_ctzll(unsigned long long x) { return __builtin_popcountll((x & -x) - 1); }
inline int __builtin_ctz(unsigned x) { return __builtin_ctzll(x); }
inline int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }
inline int __builtin_clzll(unsigned long long x)
{
    for (int i = 1; i < 64; i *= 2)
        x |= x >> i;
    return 64 - __builtin_popcountll(x);
}
inline int __builtin_clz(unsigned x) { return __builtin_clzll(x) - 32; }
inline int __builtin_clzl(unsigned long x) { return __builtin_clzll(x); }
inline int __builtin_ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }
inline int __builtin_parity(unsigned x) { return __builtin_popcount(x) & 1; }
inline long __builtin_expect(long x, long) { return x; }

template <class T> inline cudaError_t cudaMalloc(T **devPtr, size_t size) { return cudaMalloc((void **)devPtr, size); }
template <class T> inline cudaError_t cudaMallocAsync(T **devPtr, size_t size, cudaStream_t stream)
{
    return cudaMallocAsync((void **)devPtr, size, stream);
}
template <class T>
inline cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)ptr, size, memPool, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)ptr, size, memPool, stream);
}
template <class T> inline cudaError_t cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)devPtr, pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)devPtr, size, flags);
}
template <class T> inline cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0)
{
    return flags ? cudaHostAlloc((void **)ptr, size, flags) : cudaMallocHost((void **)ptr, size);
}
template <class T> inline cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
    return cudaHostAlloc((void **)ptr, size, flags);
}
template <class T> inline cudaError_t cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)pDevice, pHost, flags);
}
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0,
                                            unsigned int flags = cudaMemAttachSingle)
{
    return cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}

// Until CUDA 13 a place was the number of a device; -1 is the host.
inline cudaMemLocation __cudaLocation(int device)
{
    cudaMemLocation location = {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                                device == cudaCpuDeviceId ? 0 : device};
    return location;
}
inline cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice, cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(devPtr, count, __cudaLocation(dstDevice), 0, stream);
}
inline cudaError_t cudaMemAdvise(const void *devPtr, size_t count, cudaMemoryAdvise advice, int device)
{
    return cudaMemAdvise(devPtr, count, advice, __cudaLocation(device));
}

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
template <class T> inline cudaError_t cudaGetSymbolAddress(void **devPtr, const T &symbol)
{
    return cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
template <class T, class U> inline cudaError_t cudaGetSymbolAddress(U **devPtr, const T &symbol)
{
    return cudaGetSymbolAddress((void **)devPtr, (const void *)&symbol);
}
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return cudaGetSymbolSize(size, (const void *)&symbol);
}

template <class T>
inline cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem = 0,
                                    cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem = 0,
                                               cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...args)
{
    return [&](P... values) {
        void *all[] = {(void *)&values..., (void *)0};
        return cudaLaunchKernelExC(config, (const void *)kernel, all);
    }((A &&)args...);
}
template <class T> inline cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute attr, int value)
{
    return cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class T> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, T *func)
{
    return cudaFuncGetAttributes(attr, (const void *)func);
}
template <class T> inline cudaError_t cudaFuncSetCacheConfig(T *func, cudaFuncCache cacheConfig)
{
    return cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}
template <class T> inline cudaError_t cudaFuncSetSharedMemConfig(T *func, cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)func, config);
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) { return cudaEventCreateWithFlags(event, flags); }

template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T *func, int blockSize,
                                                                 size_t dynamicSMemSize)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize, dynamicSMemSize);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T *func, int blockSize,
                                                                          size_t dynamicSMemSize, unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void *)func, blockSize, dynamicSMemSize,
                                                                  flags);
}
template <class T> inline cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, T *func, const cudaLaunchConfig_t *config)
{
    return cudaOccupancyMaxActiveClusters(numClusters, (const void *)func, config);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, T *func, const cudaLaunchConfig_t *config)
{
    return cudaOccupancyMaxPotentialClusterSize(clusterSize, (const void *)func, config);
}
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, T *func, int numBlocks, int blockSize)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void *)func, numBlocks, blockSize);
}

// The largest of the block sizes with which a multiprocessor has most threads, from the largest down.
template <class S, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func,
                                                                  S blockSizeToDynamicSMemSize, int blockSizeLimit = 0)
{
    int device, multiprocessors, most;
    cudaFuncAttributes attributes;
    cudaError_t status;
    if (!minGridSize || !blockSize)
        return cudaErrorInvalidValue;
    if ((status = cudaGetDevice(&device)) != cudaSuccess)
        return status;
    if ((status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)) != cudaSuccess)
        return status;
    if ((status = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device)) != cudaSuccess)
        return status;
    if ((status = cudaFuncGetAttributes(&attributes, (const void *)func)) != cudaSuccess)
        return status;
    int limit = attributes.maxThreadsPerBlock;
    if (blockSizeLimit > 0 && blockSizeLimit < limit)
        limit = blockSizeLimit;
    int bestThreads = 0, bestSize = 0, bestBlocks = 0;
    for (int size = (limit + 31) / 32 * 32; size > 0; size -= 32) {
        int block = size < limit ? size : limit, blocks = 0;
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)func, block,
                                                               blockSizeToDynamicSMemSize(block));
        if (status != cudaSuccess)
            return status;
        if (block * blocks > bestThreads) {
            bestThreads = block * blocks;
            bestSize = block;
            bestBlocks = blocks;
        }
        if (bestThreads == most)
            break;
    }
    *minGridSize = bestBlocks * multiprocessors;
    *blockSize = bestSize;
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func, size_t dynamicSMemSize = 0,
                                                      int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        minGridSize, blockSize, func, [=](int) { return dynamicSMemSize; }, blockSizeLimit);
}

// Arrays of a function whose lengths are known when they are reached, as g++ has them: the compiler declares them so.
extern "C" void *malloc(unsigned long bytes);
extern "C" void free(void *at);
template <class T> class __variable_array {
    struct cell {
        T value;
    };
    cell *first;
    void make(bool zero)
    {
        first = (cell *)malloc(count * sizeof(cell));
        if constexpr (!__is_trivially_constructible(cell)) {
            for (long i = 0; i < count; i++)
                new ((void *)(first + i)) cell();
        } else if (zero) {
            memset(first, 0, count * sizeof(cell));
        }
    }

  protected:
    long row, column, count;

  public:
    explicit __variable_array(long a, long b = 1, long c = 1) : row(b), column(c), count(a * b * c) { make(false); }
    explicit __variable_array(decltype(nullptr), long a, long b = 1, long c = 1) : row(b), column(c), count(a * b * c) { make(true); }
    template <unsigned long N> __variable_array(const T (&list)[N], long a) : row(1), column(1), count(a)
    {
        make(true);
        for (unsigned long i = 0; i < N; i++)
            first[i].value = list[i];
    }
    __variable_array(const __variable_array &) = delete;
    ~__variable_array()
    {
        if constexpr (!__has_trivial_destructor(cell)) {
            for (long i = count; i > 0; i--)
                first[i - 1].~cell();
        }
        free(first);
    }
    operator T *() const { return &first->value; }
    T *begin() const { return &first->value; }
    T *end() const { return &first->value + count; }
    unsigned long __bytes() const { return count * sizeof(T); }
};
template <class T> struct __variable_array2 : __variable_array<T> {
    using __variable_array<T>::__variable_array;
    T *operator[](long at) const { return this->begin() + at * this->row; }
    T *operator*() const { return this->begin(); }
    unsigned long __bytes1() const { return this->row * sizeof(T); }
};
template <class T> struct __variable_rows {
    T *first;
    long length;
    T *operator[](long at) const { return first + at * length; }
    T *operator*() const { return first; }
};
template <class T> struct __variable_array3 : __variable_array<T> {
    using __variable_array<T>::__variable_array;
    __variable_rows<T> operator[](long at) const { return {this->begin() + at * this->row * this->column, this->column}; }
    unsigned long __bytes1() const { return this->row * this->column * sizeof(T); }
    unsigned long __bytes2() const { return this->column * sizeof(T); }
};
