#pragma once
#include <cstdio>
#include <cstdlib>

#define TILE 4
#define CHECK(call)                                                                                 \
    do {                                                                                            \
        cudaError_t status = (call);                                                                \
        if (status != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));         \
            exit(EXIT_FAILURE);                                                                     \
        }                                                                                           \
    } while (0)

template <typename T> struct DeviceArray {
    explicit DeviceArray(size_t count) : count(count) { CHECK(cudaMalloc(&data, count * sizeof(T))); }
    ~DeviceArray() { cudaFree(data); }
    void put(const T *from) { CHECK(cudaMemcpy(data, from, count * sizeof(T), cudaMemcpyHostToDevice)); }
    void get(T *to) const { CHECK(cudaMemcpy(to, data, count * sizeof(T), cudaMemcpyDeviceToHost)); }
    T *data = nullptr;
    size_t count;
};

template <typename T> __global__ void scale(T *data, T factor, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] *= factor;
}

__global__ void multiply(const float *a, const float *b, float *c, int rows, int inner, int columns);
void launch_multiply(const float *a, const float *b, float *c, int rows, int inner, int columns);
