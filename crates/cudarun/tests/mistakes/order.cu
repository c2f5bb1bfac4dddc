// What nothing orders.
#include <cstdio>
#include <cuda_runtime.h>

#define CUDA_CALL(x) do { if ((x) != cudaSuccess) { printf("Error at %s:%d\n", __FILE__, __LINE__); return 1; } } while (0)

__constant__ int factor;
__managed__ int result;
__global__ void multiply(int *data, int count)
{
    for (int at = threadIdx.x; at < count; at += blockDim.x)
        data[at] = data[at] * factor + 1;
}
__global__ void add_up(const int *data, int count)
{
    int sum = 0;
    for (int at = 0; at < count; at++)
        sum += data[at];
    result = sum;
}

int main()
{
    const int count = 1 << 10, bytes = count * sizeof(int);
    int *pinned, *device, *other, two = 2;
    cudaStream_t streams[2];
    cudaEvent_t done;
    CUDA_CALL(cudaMallocHost(&pinned, bytes));
    CUDA_CALL(cudaMalloc(&device, bytes));
    CUDA_CALL(cudaMalloc(&other, bytes));
    for (auto &stream : streams)
        CUDA_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CALL(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    for (int at = 0; at < count; at++)
        pinned[at] = at;
    CUDA_CALL(cudaMemcpyToSymbol(factor, &two, sizeof(int)));
    CUDA_CALL(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, streams[0])); // 1: unordered
#if WRONG == 1
    pinned[3] = 5;
#endif
    multiply<<<1, 128, 0, streams[0]>>>(device, count);
#if WRONG != 2
    CUDA_CALL(cudaEventRecord(done, streams[0]));
    CUDA_CALL(cudaStreamWaitEvent(streams[1], done, 0));
#endif
    CUDA_CALL(cudaMemcpyAsync(other, device, bytes, cudaMemcpyDeviceToDevice, streams[1])); // 2: unordered
#if WRONG == 3
    int three = 3;
    CUDA_CALL(cudaMemcpyToSymbol(factor, &three, sizeof(int))); // 3: unordered
#endif
    CUDA_CALL(cudaMemcpyAsync(pinned, other, bytes, cudaMemcpyDeviceToHost, streams[1])); // 2: unordered
    CUDA_CALL(cudaStreamSynchronize(streams[1]));
    printf("%d\n", pinned[10] == 21);
    add_up<<<1, 1, 0, streams[1]>>>(other, count); // 4: unordered
#if WRONG == 4
    result = -1;
#endif
    CUDA_CALL(cudaStreamSynchronize(streams[1]));
    printf("%d\n", result);
    CUDA_CALL(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, streams[0])); // 5: lost-copy
#if WRONG == 5
    printf("%d\n", pinned[1]); // 5: unordered
    CUDA_CALL(cudaFreeHost(pinned));
    pinned = nullptr;
#endif
    CUDA_CALL(cudaDeviceSynchronize());
    for (auto &stream : streams)
        CUDA_CALL(cudaStreamDestroy(stream));
    CUDA_CALL(cudaEventDestroy(done));
    CUDA_CALL(cudaFree(device));
    CUDA_CALL(cudaFree(other));
    CUDA_CALL(cudaFreeHost(pinned));
}
