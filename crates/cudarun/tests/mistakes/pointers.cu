// Pointers on the wrong side, directions, and what is freed, as students write them.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                                             \
    do {                                                                                                                        \
        cudaError_t error = (call);                                                                                             \
        if (error != cudaSuccess)                                                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                                      \
    } while (0)

__global__ void scale(double *data, int count, double by)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count)
        data[at] *= by; // 1: uninitialised-read 5: out-of-bounds-global
}

class Buffer {
    double *device;
    int count;

  public:
    explicit Buffer(int count) : device(nullptr), count(count) { CHECK(cudaMalloc(&device, count * sizeof(double))); }
#if WRONG == 9
    Buffer(const Buffer &other) : device(other.device), count(other.count) {}
#else
    Buffer(const Buffer &) = delete;
#endif
    ~Buffer()
    {
        CHECK(cudaFree(device)); // 9: double-free
    }
    double *data() { return device; }
    void upload(const std::vector<double> &from)
    {
#if WRONG == 1
        CHECK(cudaMemcpy(device, from.data(), count * sizeof(double), cudaMemcpyDeviceToHost)); // 1: copy-kind
#else
        CHECK(cudaMemcpy(device, from.data(), count * sizeof(double), cudaMemcpyHostToDevice));
#endif
    }
    void download(std::vector<double> &to)
    {
#if WRONG == 2
        CHECK(cudaMemcpy(device, to.data(), count * sizeof(double), cudaMemcpyDeviceToHost)); // 2: copy-kind
#elif WRONG == 3
        CHECK(cudaMemcpy(&to, device, count * sizeof(double), cudaMemcpyDeviceToDevice)); // 3: copy-kind
#else
        CHECK(cudaMemcpy(to.data(), device, count * sizeof(double), cudaMemcpyDeviceToHost));
#endif
    }
};

double total(const double *values, int count)
{
    double sum = 0;
    for (int at = 0; at < count; at++)
        sum += values[at]; // 4: device-pointer-on-host
    return sum;
}

#if WRONG == 9
void look(Buffer buffer) { printf("%p\n", (void *)(buffer.data() ? &buffer : 0) ? "there" : "gone"); }
#endif

int main()
{
    const int count = 300;
    std::vector<double> values(count, 1.5);
    Buffer buffer(count);
    buffer.upload(values);
#if WRONG == 5
    scale<<<2, 256>>>(values.data(), count, 2); // 5: host-pointer-on-device
#else
    scale<<<2, 256>>>(buffer.data(), count, 2);
#endif
    CHECK(cudaGetLastError());
    buffer.download(values);
#if WRONG == 4
    printf("%g\n", total(buffer.data(), count));
#else
    printf("%g\n", total(values.data(), count));
#endif
#if WRONG == 9
    look(buffer);
#endif

    double *more = nullptr;
    CHECK(cudaMalloc((void **)&more, 64));
    CHECK(cudaMemset(more, 0, 64));
#if WRONG == 6
    free(more); // 6: wrong-free
#elif WRONG == 7
    CHECK(cudaFree(more));
    CHECK(cudaMemset(more, 0, 64)); // 7: use-after-free
#elif WRONG == 8
    CHECK(cudaFree(more + 1)); // 8: bad-free
    CHECK(cudaFree(more));
#else
    CHECK(cudaFree(more));
#endif
    int *host = (int *)malloc(64);
#if WRONG == 10
    CHECK(cudaMemset(host, 0, 64)); // 10: host-pointer-on-device
#elif WRONG == 11
    CHECK(cudaFreeHost(host)); // 11: wrong-free
#endif
    free(host);
}
