// Functions of the device runtime that kernels use which launch others.
#pragma once
__device__ inline cudaError_t cudaGetLastError() { return (cudaError_t)__builtin_last_error(); }
__device__ inline cudaError_t cudaPeekAtLastError() { return (cudaError_t)__builtin_peek_error(); }
__device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return (cudaError_t)__builtin_create_stream(stream, flags);
}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t stream) { return (cudaError_t)__builtin_destroy_stream(stream); }
