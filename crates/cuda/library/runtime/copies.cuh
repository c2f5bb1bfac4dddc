// Copies and fills that kernels leave to be done, in the order of launches.
#pragma once
__device__ inline cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return (cudaError_t)__builtin_runtime_copy(dst, src, count, kind, stream);
}
__device__ inline cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                                                cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return (cudaError_t)__builtin_runtime_copy_2d(dst, dpitch, src, spitch, width, height, kind, stream);
}
__device__ inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream = 0)
{
    return (cudaError_t)__builtin_runtime_copy_3d(p, stream);
}
__device__ inline cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream = 0)
{
    return (cudaError_t)__builtin_runtime_set(devPtr, value, count, stream);
}
__device__ inline cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                                                cudaStream_t stream = 0)
{
    return (cudaError_t)__builtin_runtime_set_2d(devPtr, pitch, value, width, height, stream);
}
__device__ inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream = 0)
{
    return (cudaError_t)__builtin_runtime_set_3d(pitchedDevPtr.ptr, pitchedDevPtr.pitch, pitchedDevPtr.xsize, pitchedDevPtr.ysize,
                                                 value, extent.width, extent.height, extent.depth, stream);
}
