// What the runtime does not have is refused by name, with what to write instead.
#include <cuda.h>
#include <cuda_runtime.h>
int main()
{
    cudaIpcMemHandle_t handle;
    cudaMipmappedArray_t mipmaps;
    cudaMallocMipmappedArray(&mipmaps, 0, cudaExtent(), 2);
    cudaMemcpyBatchAsync(0, 0, 0, 0, 0, 0, 0, 0, 0);
    cudaBindTexture(0, 0, 0, 0);
    cuModuleLoad(0, "kernel.ptx");
    cuLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0);
    cudaGraphConditionalHandle condition;
}
