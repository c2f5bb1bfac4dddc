// The address of a variable of the host given to a kernel: how far it is from memory of the device says nothing.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(const int *data, const int *count, int *result)
{
    int all = 0;
    for (int at = 0; at < *count; at++)
        all += data[at];
    *result = all;
}

int main()
{
    int *data, *result, count = 8, host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    cudaMalloc(&data, sizeof(host));
    cudaMalloc(&result, sizeof(int));
    cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
    sum<<<1, 1>>>(data, &count, result);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(data);
    cudaFree(result);
}
