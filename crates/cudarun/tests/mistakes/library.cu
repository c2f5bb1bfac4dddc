// What students hand to functions of the host's library, and to the API, through what the library has.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

void gpu(cudaError_t error)
{
    if (error != cudaSuccess)
        std::cerr << cudaGetErrorString(error) << std::endl;
}

__constant__ int offsets[4];
__global__ void shift(int *data, int count)
{
    extern __shared__ int tile[];
    int at = threadIdx.x;
    tile[at] = at < count ? data[at] : 0; // 14: out-of-bounds-shared 15: null-pointer 17: out-of-bounds-global 25: out-of-bounds-global
    __syncthreads();
    if (at < count)
        data[at] = tile[(at + 1) % count] + offsets[at % 4]; // 13: uninitialised-read
}

int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } // 9: device-pointer-on-host

struct Task {
    std::string name;
    std::function<void()> run;
};

int main()
{
    const int count = 64;
    const size_t bytes = count * sizeof(int);
    std::vector<int> host(count);
    std::iota(host.begin(), host.end(), 0);
    int table[4] = {0, 1, 2, 3};
    int *raw = new int[count / 2];
    int *pointer = host.data();
    int *device, *pinned;
    gpu(cudaMalloc(&device, bytes)); // 20: leak
    gpu(cudaMallocHost(&pinned, bytes)); // 19: leak
    gpu(cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice));
#if WRONG == 1
    gpu(cudaMemcpy(device, &pointer, bytes, cudaMemcpyHostToDevice)); // 1: out-of-bounds
#elif WRONG == 2
    gpu(cudaMemcpy(&pointer, device, bytes, cudaMemcpyDeviceToHost)); // 2: out-of-bounds
#elif WRONG == 3
    gpu(cudaMemcpy(device, raw, bytes, cudaMemcpyHostToDevice)); // 3: out-of-bounds
#elif WRONG == 4
    std::sort(device, device + count); // 4: device-pointer-on-host
#elif WRONG == 5
    std::vector<int> copied(device, device + count); // 5: device-pointer-on-host
#elif WRONG == 6
    std::fill(device, device + count, 0); // 6: device-pointer-on-host
#elif WRONG == 7
    std::cout << *device << std::endl; // 7: device-pointer-on-host
#elif WRONG == 8
    memset(device, 0, bytes); // 8: device-pointer-on-host
#elif WRONG == 9
    qsort(device, count, sizeof(int), compare);
#elif WRONG == 10
    printf("%d\n", std::accumulate(device, device + count, 0)); // 10: device-pointer-on-host
#elif WRONG == 11
    std::copy(host.begin(), host.end(), device); // 11: device-pointer-on-host
#elif WRONG == 12
    printf("%d\n", device[3]); // 12: device-pointer-on-host
#endif
#if WRONG == 13
    gpu(cudaMemcpyToSymbol(&offsets, table, sizeof(table))); // 13: not-a-symbol
#else
    gpu(cudaMemcpyToSymbol(offsets, table, sizeof(table)));
#endif
#if WRONG == 14
    shift<<<1, count>>>(device, count);
#else
    shift<<<1, count, bytes>>>(device, count);
#endif
    gpu(cudaGetLastError());
    gpu(cudaMemcpy(pinned, device, bytes, cudaMemcpyDeviceToHost));
    printf("%d %d\n", pinned[5], pointer[0]);
    std::map<std::string, int *> named;
    for (const char *name : {"velocity", "position"}) {
        gpu(cudaMalloc(&named[name], bytes));
        gpu(cudaMemset(named[name], 0, bytes));
    }
    std::vector<Task> tasks;
    tasks.push_back({"shift", [&] { shift<<<1, count, bytes>>>(named["position"], count); }}); // 17: use-after-free
#if WRONG == 15
    tasks.push_back({"shift", [&] { shift<<<1, count, bytes>>>(named["positions"], count); }});
#endif
    for (Task &task : tasks)
        task.run();
    gpu(cudaDeviceSynchronize());
    for (auto &one : named)
        gpu(cudaFree(one.second));
#if WRONG == 16
    for (auto &[name, at] : named)
        gpu(cudaFree(at)); // 16: double-free
#elif WRONG == 17
    tasks[0].run();
    gpu(cudaDeviceSynchronize());
#endif
#if WRONG == 18
    delete[] pinned; // 18: wrong-free
#elif WRONG == 19
    gpu(cudaFree(pinned)); // 19: wrong-free
#else
    gpu(cudaFreeHost(pinned));
#endif
#if WRONG == 20
    gpu(cudaFreeHost(device)); // 20: wrong-free
#elif WRONG == 21
    std::shared_ptr<int> owned(device); // 21: wrong-free
#else
    gpu(cudaFree(device));
#endif
#if WRONG == 22
    gpu(cudaFree(table)); // 22: wrong-free
#elif WRONG == 23
    cudaEvent_t event;
    gpu(cudaEventCreate(&event));
    gpu(cudaEventDestroy(event));
    gpu(cudaEventRecord(event)); // 23: bad-handle
#elif WRONG == 25
    int *managed;
    gpu(cudaMallocManaged(&managed, bytes / 2));
    std::copy(host.begin(), host.begin() + count / 2, managed);
    shift<<<1, count, bytes>>>(managed, count);
    gpu(cudaDeviceSynchronize());
#elif WRONG == 24
    for (int i = 0; i < 3; i++)
        gpu(cudaMalloc(&device, bytes)); // 24: leak
    gpu(cudaFree(device));
#endif
    delete[] raw;
}
