// Threads of the program: one that a function of a stream starts may call the runtime, and one may end before its function does.
#include <cstdio>
#include <pthread.h>
#include <sys/utsname.h>
#include <thread>
#include <cuda_runtime.h>
static void *asks(void *)
{
    // What waits for the device would wait for the function that started this thread: on an H200 that never ends.
    int device;
    printf("cudaGetDevice: %s\n", cudaGetErrorName(cudaGetDevice(&device)));
    return nullptr;
}
static void CUDART_CB starts(cudaStream_t, cudaError_t, void *)
{
    pthread_t thread;
    pthread_create(&thread, nullptr, asks, nullptr);
    pthread_join(thread, nullptr);
    std::thread([] { printf("cudaGetLastError: %s\n", cudaGetErrorName(cudaGetLastError())); }).join();
}
static int deep(int n)
{
    if (n == 0)
        pthread_exit((void *)77);
    return deep(n - 1) + 1;
}
static void *ends(void *)
{
    deep(3);
    return nullptr;
}
int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamAddCallback(stream, starts, nullptr, 0);
    cudaStreamSynchronize(stream);
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, ends, nullptr);
    pthread_join(thread, &result);
    printf("%ld\n", (long)result);
    utsname system;
    printf("%d %s %s\n", uname(&system), system.sysname, system.machine);
    cudaStreamDestroy(stream);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
