// Memory that streams allocate, pools, a window of the second cache, and the driver API.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK(x)                                                                                                                \
    do {                                                                                                                        \
        cudaError_t status = (x);                                                                                               \
        if (status != cudaSuccess)                                                                                              \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(status));                                                        \
    } while (0)

__global__ void fill(int *data, int value) { data[threadIdx.x] = value; }

static void driver()
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory;
    const char *name;
    int count, back[4];
    printf("%d\n", cuDeviceGetCount(&count));
    cuInit(0);
    cuDeviceGet(&device, 0);
    printf("%d %d\n", cuDeviceGet(&device, 7), cuMemAlloc(&memory, 16));
    cuDeviceGet(&device, 0);
    cuCtxCreate(&context, 0, device);
    cuMemAlloc(&memory, 16);
    cuMemsetD32(memory, 0x01020304, 4);
    cuMemcpyDtoH(back, memory, 16);
    printf("%x %d\n", back[3], cuMemFree(memory));
    cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &name);
    printf("%s\n", name);
    cuGetErrorName((CUresult)46, &name);
    printf("%s\n", name);
    cuCtxDestroy(context);
}

int main()
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaMemPool_t pool;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long threshold = ~0ull, used;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    int *data, host[32];
    CHECK(cudaMallocAsync(&data, sizeof(host), stream));
    fill<<<1, 32, 0, stream>>>(data, 7);
    CHECK(cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(cudaFreeAsync(data, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("%d %llu\n", host[31], used);

    cudaStreamAttrValue attribute = {};
    attribute.accessPolicyWindow.base_ptr = host;
    attribute.accessPolicyWindow.num_bytes = 1 << 20;
    attribute.accessPolicyWindow.hitRatio = 0.6f;
    attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
    CHECK(cudaCtxResetPersistingL2Cache());
    cudaArray *array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), same;
    CHECK(cudaMallocArray(&array, &format, 8, 8));
    CHECK(cudaGetChannelDesc(&same, array));
    printf("%d %d\n", same.x, same.f == format.f);
    CHECK(cudaFreeArray(array));
    CHECK(cudaStreamDestroy(stream));
    driver();
}
