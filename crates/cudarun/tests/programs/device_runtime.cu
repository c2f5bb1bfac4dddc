// The device runtime: what functions of the runtime API do that kernels call, and functions for both sides. Numbers of errors are those
// of an H200 with CUDA 13.
#include <cstdio>
#include <cuda_runtime.h>

template <class T> __global__ void set(T *p) { *p = 1; }
__global__ void double_it(int *p) { *p *= 2; }

// On each side its own function.
__host__ __device__ int ask(cudaDeviceAttr attribute, cudaLimit limit)
{
    int value = -1, device = -1, count = -1;
    size_t bytes = 0;
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceCount(&count) != cudaSuccess)
        return -1;
    if (cudaDeviceGetAttribute(&value, attribute, device) != cudaSuccess || cudaDeviceGetLimit(&bytes, limit) != cudaSuccess)
        return -2;
    return value + int(bytes) + 1000 * count;
}
template <class T> struct Buffer {
    T *data;
    __host__ __device__ explicit Buffer(size_t n)
    {
        if (cudaMalloc(&data, n * sizeof(T)) != cudaSuccess)
            data = nullptr;
    }
    __host__ __device__ ~Buffer() { cudaFree(data); }
};

__global__ void questions(int *out)
{
    out[0] = ask(cudaDevAttrWarpSize, cudaLimitMallocHeapSize);
    int blocks = -1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set<float>, 128, 0);
    out[1] = blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &double_it, 1024, 0);
    out[2] = blocks;
    void (*kernel)(int *) = double_it;
    out[3] = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 0, 0, cudaOccupancyDefault);
    out[4] = cudaGetLastError();
    cudaFuncCache cache;
    out[5] = cudaDeviceGetCacheConfig(&cache) + cache;
    int version = 0;
    out[6] = cudaRuntimeGetVersion(&version) + (version >= 12000);
}

__global__ void memory(int *out)
{
    Buffer<double> buffer(4);
    buffer.data[3] = 2.5;
    out[0] = int(buffer.data[3] * 2);
    int *const before = out + 15, *p = before;
    out[1] = cudaMalloc(&p, 0);
    out[2] = p == before;
    out[3] = cudaMalloc(&p, size_t(1) << 40);
    out[4] = cudaGetLastError();
    out[5] = cudaGetLastError();
    void *any;
    out[6] = cudaMalloc(&any, 3) + cudaFree(any) + cudaFree(nullptr);
    int local = 3;
    out[7] = cudaMemcpyAsync(out + 15, &local, sizeof local, cudaMemcpyDeviceToDevice, 0);
}

// An event between streams, and copies in the order of launches.
__global__ void ordered(int *out)
{
    out[0] = 5;
    out[12] = out[13] = out[14] = out[15] = 9;
    cudaStream_t a, b;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    out[8] = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    double_it<<<1, 1, 0, a>>>(out);
    out[9] = cudaEventRecord(done, a);
    out[10] = cudaStreamWaitEvent(b, done, 0);
    cudaMemcpyAsync(out + 1, out, sizeof(int), cudaMemcpyDeviceToDevice, b);
    double_it<<<1, 1, 0, b>>>(out + 1);
    cudaMemcpy2DAsync(out + 2, 8, out, 4, 4, 2, cudaMemcpyDefault, b);
    cudaMemsetAsync(out + 15, 0, sizeof(int), b);
    cudaMemset2DAsync(out + 12, 8, 0, 4, 1, b);
    cudaMemset3DAsync(cudaPitchedPtr{out + 14, 4, 4, 1}, 0, cudaExtent{4, 1, 1}, b);
    out[11] = cudaEventDestroy(done) + cudaStreamDestroy(a) + cudaStreamDestroy(b);
}

__device__ int *kept;
__global__ void keep()
{
    cudaMalloc(&kept, 4);
    *kept = 7;
}
__global__ void give_back(int *out)
{
    out[0] = *kept;
    out[1] = cudaFree(kept);
}
__global__ void free_wrongly(int *out) { out[0] = cudaFree(out + 1); }

void show(const char *name, void (*kernel)(int *))
{
    int *out, host[16];
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    kernel<<<1, 1>>>(out);
    int error = cudaDeviceSynchronize();
    printf("%s: %d,", name, error);
    if (error)
        return;
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int value : host)
        printf(" %d", value);
    printf("\n");
    cudaFree(out);
}

int main()
{
    printf("host: %d\n", ask(cudaDevAttrWarpSize, cudaLimitMallocHeapSize));
    Buffer<float> buffer(3);
    cudaMemset(buffer.data, 0, 12);
    show("questions", questions);
    show("memory", memory);
    show("ordered", ordered);
    // What kernels allocate lives on, and is theirs alone.
    keep<<<1, 1>>>();
    int *there, value;
    cudaMemcpyFromSymbol(&there, kept, sizeof there);
    int copied = cudaMemcpy(&value, there, sizeof value, cudaMemcpyDeviceToHost), freed = cudaFree(there);
    printf("host copies %d, frees %d\n", copied, freed);
    cudaGetLastError();
    show("give_back", give_back);
    show("free_wrongly", free_wrongly);
    printf("\n");
}
