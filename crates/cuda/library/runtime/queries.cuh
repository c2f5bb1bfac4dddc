// What kernels ask of the device that they run on.
#pragma once
__device__ inline cudaError_t cudaGetDevice(int *device) { return (cudaError_t)__builtin_runtime_device(device); }
__device__ inline cudaError_t cudaGetDeviceCount(int *count) { return (cudaError_t)__builtin_runtime_devices(count); }
__device__ inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device)
{
    return (cudaError_t)__builtin_runtime_attribute(value, attr, device);
}
__device__ inline cudaError_t cudaDeviceGetLimit(size_t *pValue, cudaLimit limit)
{
    return (cudaError_t)__builtin_runtime_limit(pValue, limit);
}
__device__ inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *pCacheConfig)
{
    return (cudaError_t)__builtin_runtime_cache(pCacheConfig);
}
__device__ inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *pConfig)
{
    return (cudaError_t)__builtin_runtime_banks(pConfig);
}
__device__ inline cudaError_t cudaRuntimeGetVersion(int *runtimeVersion) { return (cudaError_t)__builtin_runtime_version(runtimeVersion); }
template <class T>
__device__ inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T *func, int blockSize, size_t dynamicSMemSize)
{
    return (cudaError_t)__builtin_runtime_occupancy(numBlocks, (const void *)func, blockSize, dynamicSMemSize);
}
template <class T>
__device__ inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T *func, int blockSize,
                                                                                     size_t dynamicSMemSize, unsigned flags)
{
    return (cudaError_t)__builtin_runtime_occupancy_flags(numBlocks, (const void *)func, blockSize, dynamicSMemSize, flags);
}
