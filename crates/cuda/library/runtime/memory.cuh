// The heap of kernels, as the device runtime gives pieces of it.
#pragma once
__device__ inline cudaError_t cudaMalloc(void **devPtr, size_t size) { return (cudaError_t)__builtin_runtime_malloc(devPtr, size); }
template <class T> __device__ inline cudaError_t cudaMalloc(T **devPtr, size_t size) { return cudaMalloc((void **)devPtr, size); }
__device__ inline cudaError_t cudaFree(void *devPtr) { return (cudaError_t)__builtin_runtime_free(devPtr); }
