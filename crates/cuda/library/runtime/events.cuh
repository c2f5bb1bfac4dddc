// Events in kernels: what orders the launches of streams.
#pragma once
__device__ inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    return (cudaError_t)__builtin_runtime_create_event(event, flags);
}
__device__ inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0)
{
    return (cudaError_t)__builtin_runtime_record(event, stream);
}
__device__ inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0, unsigned flags = 0)
{
    return (cudaError_t)__builtin_runtime_record_flags(event, stream, flags);
}
__device__ inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0)
{
    return (cudaError_t)__builtin_runtime_wait(stream, event, flags);
}
__device__ inline cudaError_t cudaEventDestroy(cudaEvent_t event) { return (cudaError_t)__builtin_runtime_destroy_event(event); }
