// Functions of earlier toolkits, which CUDA 13 has no more or as before: built with CUDA 12.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
// What a call gives, where that is not success.
#define OK(call) do { cudaError_t st_ = (call); if (st_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(st_)); } while (0)
#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
__global__ void nothing() {}
int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    float in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {};
    OK(cudaMallocArray(&array, &format, 4, 2));
    SHOW(cudaMemcpyToArray(array, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpyFromArray(out, array, 0, 1, 4 * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%g %g\n", out[0], out[3]);
    OK(cudaFreeArray(array));
    cudaSharedMemConfig config = cudaSharedMemBankSizeEightByte;
    SHOW(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
    SHOW(cudaDeviceGetSharedMemConfig(&config));
    printf("%d\n", config == cudaSharedMemBankSizeFourByte);
    SHOW(cudaFuncSetSharedMemConfig(nothing, cudaSharedMemBankSizeDefault));
    nothing<<<1, 1>>>();
    SHOW(cudaThreadSynchronize());
    SHOW(cudaThreadExit());
}
