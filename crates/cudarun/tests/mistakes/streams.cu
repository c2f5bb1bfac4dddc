// Loops over streams, chunks and passes: what waits for what.
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

inline void ok(cudaError_t error)
{
    if (error != cudaSuccess)
        printf("CUDA: %s\n", cudaGetErrorString(error));
}

__global__ void square(float *data, int count)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count)
        data[at] *= data[at]; // 1: uninitialised-read
}
__global__ void blur(const float *in, float *out, int count)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count)
        out[at] = (in[at > 0 ? at - 1 : 0] + in[at] + in[at + 1 < count ? at + 1 : at]) / 3;
}

struct Chunk {
    float *host, *device;
    cudaStream_t stream;
    cudaEvent_t done;
};

int main()
{
    const int chunks = 4, size = 256, bytes = size * sizeof(float), count = chunks * size;
    float *host, *device, *spare;
    ok(cudaHostAlloc((void **)&host, count * sizeof(float), cudaHostAllocDefault));
    ok(cudaMalloc((void **)&device, count * sizeof(float)));
    ok(cudaMalloc((void **)&spare, count * sizeof(float)));
    for (int at = 0; at < count; at++)
        host[at] = at % 7;
    std::vector<Chunk> all(chunks);
    for (int i = 0; i < chunks; i++) {
        all[i].host = host + i * size;
        all[i].device = device + i * size;
        ok(cudaStreamCreateWithFlags(&all[i].stream, cudaStreamNonBlocking));
        ok(cudaEventCreate(&all[i].done));
    }
    for (int i = 0; i < chunks; i++) {
        Chunk &one = all[i];
#if WRONG == 1
        ok(cudaMemcpyAsync(device, one.host, bytes, cudaMemcpyHostToDevice, one.stream)); // 1: unordered
#else
        ok(cudaMemcpyAsync(one.device, one.host, bytes, cudaMemcpyHostToDevice, one.stream));
#endif
#if WRONG == 2
        square<<<2, 128>>>(one.device, size); // 2: unordered
#else
        square<<<2, 128, 0, one.stream>>>(one.device, size);
#endif
        ok(cudaEventRecord(one.done, one.stream));
#if WRONG == 3
        ok(cudaMemcpyAsync(one.host, one.device, bytes, cudaMemcpyDeviceToHost, all[(i + 1) % chunks].stream)); // 3: unordered
#else
        ok(cudaMemcpyAsync(one.host, one.device, bytes, cudaMemcpyDeviceToHost, one.stream)); // 2: unordered
#endif
    }
#if WRONG == 4
    for (int i = 0; i < chunks - 1; i++)
#else
    for (int i = 0; i < chunks; i++)
#endif
        ok(cudaStreamSynchronize(all[i].stream));
    double sum = 0;
    for (int at = 0; at < count; at++)
        sum += host[at]; // 4: unordered
    printf("%g\n", sum);

    // One pinned buffer, filled once for each batch.
    float *staging;
    ok(cudaMallocHost((void **)&staging, bytes));
    for (int i = 0; i < chunks; i++) {
        for (int at = 0; at < size; at++)
            staging[at] = i;
        ok(cudaMemcpyAsync(all[i].device, staging, bytes, cudaMemcpyHostToDevice, all[i].stream)); // 2: unordered 5: unordered
#if WRONG != 5
        ok(cudaStreamSynchronize(all[i].stream));
#endif
    }
    ok(cudaDeviceSynchronize());

    // Passes that exchange two buffers.
    float *from = device, *to = spare;
    for (int pass = 0; pass < 3; pass++) {
#if WRONG == 6
        blur<<<8, 128, 0, all[pass % 2].stream>>>(from, to, count); // 6: unordered
#else
        blur<<<8, 128, 0, all[0].stream>>>(from, to, count);
#endif
        std::swap(from, to);
    }
#if WRONG == 7
    ok(cudaMemcpy(host, from, count * sizeof(float), cudaMemcpyDeviceToHost)); // 7: unordered
#else
    ok(cudaMemcpyAsync(host, from, count * sizeof(float), cudaMemcpyDeviceToHost, all[0].stream));
    ok(cudaStreamSynchronize(all[0].stream));
#endif
    printf("%g\n", host[17]);

    // Times.
    cudaEvent_t start, stop;
    float milliseconds = 0;
#if WRONG == 8
    ok(cudaEventCreateWithFlags(&start, cudaEventDisableTiming));
#else
    ok(cudaEventCreate(&start));
#endif
    ok(cudaEventCreate(&stop));
    ok(cudaEventRecord(start));
    square<<<8, 128>>>(device, count); // 6: unordered 7: unordered
#if WRONG != 9
    ok(cudaEventRecord(stop));
#endif
#if WRONG != 10
    ok(cudaEventSynchronize(stop));
#endif
    ok(cudaEventElapsedTime(&milliseconds, start, stop)); // 8: bad-argument 9: bad-argument 10: bad-argument
    printf("%d\n", milliseconds > 0);

    float *managed;
    ok(cudaMallocManaged(&managed, bytes));
    for (int at = 0; at < size; at++)
        managed[at] = 2;
    square<<<2, 128>>>(managed, size);
#if WRONG != 11
    ok(cudaDeviceSynchronize());
#endif
    printf("%g\n", managed[3]); // 11: unordered
    ok(cudaDeviceSynchronize());

#if WRONG == 12
    ok(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, all[1].stream));
    ok(cudaStreamDestroy(all[1].stream));
    all.erase(all.begin() + 1);
    printf("%g\n", host[0]); // 12: unordered
#elif WRONG == 13
    ok(cudaStreamDestroy(all[1].stream));
    square<<<2, 128, 0, all[1].stream>>>(device, size); // 13: bad-handle 13: launch-unseen
    all.erase(all.begin() + 1);
#endif
    ok(cudaFree(managed));
    ok(cudaFreeHost(staging));
    for (Chunk &one : all) {
        ok(cudaStreamDestroy(one.stream));
        ok(cudaEventDestroy(one.done));
    }
    ok(cudaEventDestroy(start));
    ok(cudaEventDestroy(stop));
    ok(cudaFree(device));
    ok(cudaFree(spare));
    ok(cudaFreeHost(host));
}
