// Kernels: their names and settings, how many of their blocks fit, launches with attributes, descriptions of textures.
// `nvcc -arch=sm_90 api_launches.cu` makes a program that prints the same on an H200.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
// What a call gives, where that is not success.
#define OK(call) do { cudaError_t st_ = (call); if (st_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(st_)); } while (0)
#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
extern "C" __global__ void scale(int *a, int by) { a[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
int main()
{
    const char *name = nullptr;
    SHOW(cudaFuncGetName(&name, (const void *)scale));
    printf("%s\n", name);
    SHOW(cudaFuncGetName(nullptr, (const void *)scale));
    SHOW(cudaFuncSetCacheConfig(scale, cudaFuncCachePreferL1));
    int blocks = 0, same = 0, grid = 0, block = 0;
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, scale, 256, 0, cudaOccupancyDefault));
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, scale, 256, 0, 0x77));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&same, scale, 256, 0));
    printf("the same %d\n", blocks == same);
    size_t bytes = 0;
    SHOW(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, scale, 1, 128));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 128, bytes));
    printf("a block of them fits %d\n", blocks >= 1);
    SHOW(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, scale, [](int threads) { return size_t(threads) * 4; }));
    printf("threads in warps %d, blocks %d\n", block > 0 && block % 32 == 0, grid > 0);
    int *d, h[64];
    OK(cudaMalloc(&d, sizeof h));
    for (int i = 0; i < 64; i++)
        h[i] = i;
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributePriority;
    attribute.val.priority = 0;
    cudaLaunchConfig_t config;
    memset(&config, 0, sizeof config);
    config.gridDim = dim3(2);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    SHOW(cudaLaunchKernelEx(&config, scale, d, 3));
    config.blockDim = dim3(4096);
    SHOW(cudaLaunchKernelEx(&config, scale, d, 3));
    SHOW(cudaGetLastError());
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d\n", h[1], h[63]);
    // What was asked of textures and surfaces.
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    OK(cudaMallocArray(&array, &format, 32, 0, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource, found;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = sizeof h;
    cudaTextureDesc how, asked;
    memset(&how, 0, sizeof how);
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    memset(&found, 0, sizeof found);
    SHOW(cudaGetTextureObjectResourceDesc(&found, texture));
    printf("linear %d, its memory %d, %zu bytes\n", found.resType == cudaResourceTypeLinear, found.res.linear.devPtr == d, found.res.linear.sizeInBytes);
    SHOW(cudaGetTextureObjectTextureDesc(&asked, texture));
    printf("read as it is %d\n", asked.readMode == cudaReadModeElementType);
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    OK(cudaCreateSurfaceObject(&surface, &resource));
    memset(&found, 0, sizeof found);
    SHOW(cudaGetSurfaceObjectResourceDesc(&found, surface));
    printf("array %d, its own %d\n", found.resType == cudaResourceTypeArray, found.res.array.array == array);
    OK(cudaDestroyTextureObject(texture));
    OK(cudaDestroySurfaceObject(surface));
    OK(cudaFreeArray(array));
    OK(cudaFree(d));
    SHOW(cudaDeviceSynchronize());
}
