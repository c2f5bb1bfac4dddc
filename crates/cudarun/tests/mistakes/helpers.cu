// Helpers and macros around the calls: sizes, sides and errors are lost in them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>
#include <vector>

#define SAFE_CALL(call)                                                                                                         \
    do {                                                                                                                        \
        cudaError_t status = call;                                                                                              \
        if (status != cudaSuccess)                                                                                              \
            throw std::runtime_error(std::string(#call) + ": " + cudaGetErrorString(status));                                   \
    } while (false)
#define BLOCK 128
#define TO_DEVICE(device, host, count) cudaMemcpy(device, host, (count) * sizeof(*(host)), cudaMemcpyHostToDevice)

__global__ void add(const int *a, const int *b, int *sum, int count)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count)
        sum[at] = a[at] + b[at]; // 2: uninitialised-read 3: uninitialised-read 4: uninitialised-read 8: null-pointer 12: out-of-bounds-global
}

#if WRONG == 1
void reserve(int *pointer, size_t count) { SAFE_CALL(cudaMalloc(&pointer, count * sizeof(int))); } // 1: leak
#else
void reserve(int *&pointer, size_t count) { SAFE_CALL(cudaMalloc(&pointer, count * sizeof(int))); }
#endif

void send(int *device, int host[], int count)
{
#if WRONG == 2
    SAFE_CALL(cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice)); // 2: size-in-elements
#elif WRONG == 3
    SAFE_CALL(cudaMemcpy(device, host, count * sizeof(char), cudaMemcpyHostToDevice)); // 3: size-in-elements
#else
    SAFE_CALL(TO_DEVICE(device, host, count)); // 1: bad-argument
#endif
}

void send(int *device, const std::vector<int> &host)
{
#if WRONG == 4
    SAFE_CALL(cudaMemcpy(device, host.data(), sizeof(host), cudaMemcpyHostToDevice)); // 4: size-in-elements
#elif WRONG == 5
    SAFE_CALL(cudaMemcpy(device, &host, host.size() * sizeof(int), cudaMemcpyHostToDevice)); // 5: out-of-bounds
#else
    SAFE_CALL(TO_DEVICE(device, host.data(), host.size()));
#endif
}

void receive(int *host, const int *device, int count)
{
#if WRONG == 6
    memcpy(host, device, count * sizeof(int)); // 6: device-pointer-on-host
#elif WRONG == 7
    SAFE_CALL(cudaMemcpy(host, device, count * sizeof(int), cudaMemcpyHostToDevice)); // 7: copy-kind
#else
    SAFE_CALL(cudaMemcpy(host, device, count * sizeof(int), cudaMemcpyDeviceToHost));
#endif
}

int blocks_for(int count)
{
#if WRONG == 9
    return count / 1024;
#else
    return (count + BLOCK - 1) / BLOCK;
#endif
}

void launch(const int *a, const int *b, int *sum, int count)
{
    dim3 grid(blocks_for(count)), block(BLOCK);
#if WRONG == 10
    add<<<block, grid.x * 512>>>(a, b, sum, count); // 10: launch-failed 10: launch-unseen
#elif WRONG == 11
    SAFE_CALL(cudaGetLastError());
    add<<<grid, block, 1 << 20>>>(a, b, sum, count); // 11: launch-failed 11: launch-unseen
#else
    add<<<grid, block>>>(a, b, sum, count); // 9: launch-failed 9: launch-unseen 12: use-after-free
#endif
}

int main()
{
    const int count = 300;
    static int first[count];
    std::vector<int> second(count, 2), third(count);
    for (int at = 0; at < count; at++)
        first[at] = at;
    int *a = nullptr, *b = nullptr, *sum = nullptr;
    try {
        reserve(a, count);
        reserve(b, count);
        reserve(sum, count);
        send(a, first, count);
        send(b, second);
#if WRONG == 8
        launch(a, nullptr, sum, count);
#else
        launch(a, b, sum, count);
#endif
        receive(third.data(), sum, count);
        printf("%d\n", third[count - 1]);
#if WRONG == 12
        int *again = a;
        cudaFree(a);
        launch(again, b, sum, count);
        reserve(a, count);
#elif WRONG == 13
        int *end = a + count;
        SAFE_CALL(cudaMemset(end - 100, 0, count * sizeof(int))); // 13: out-of-bounds
#elif WRONG == 14
        SAFE_CALL(cudaMemset(&a, 0, sizeof(int))); // 14: host-pointer-on-device
#endif
    } catch (const std::exception &error) {
        fprintf(stderr, "%s\n", error.what());
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(sum);
}
