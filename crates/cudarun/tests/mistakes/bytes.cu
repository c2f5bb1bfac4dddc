// Values and sizes that are in elements, and kinds of copies that variables and arrays do not have.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

static void check(cudaError_t error)
{
    if (error != cudaSuccess)
        printf("%s\n", cudaGetErrorName(error));
}

__constant__ float weights[16];
__device__ int histogram[32];

__global__ void filter(float *out) { out[threadIdx.x] = weights[threadIdx.x % 16]; } // 1: uninitialised-read 2: uninitialised-read
__global__ void count(const int *data) { atomicAdd(&histogram[data[threadIdx.x] & 31], 1); }

struct Rows {
    double *data;
    size_t pitch;
};

int main()
{
    float host[16] = {1, 2, 3}, *out;
    std::vector<float> from(host, host + 16);
    check(cudaMalloc(&out, 32 * sizeof(float)));
#if WRONG == 1
    check(cudaMemcpyToSymbol(weights, host, 16)); // 1: size-in-elements
#elif WRONG == 2
    const float *first = from.data();
    check(cudaMemcpyToSymbol(weights, first, sizeof(first))); // 2: size-in-elements
#elif WRONG == 3
    check(cudaMemcpyToSymbol(weights, out, sizeof(host), 0, cudaMemcpyDeviceToHost)); // 3: copy-kind
    check(cudaMemcpyToSymbol(weights, host, sizeof(host)));
#else
    check(cudaMemcpyToSymbol(weights, from.data(), from.size() * sizeof(float)));
#endif
    filter<<<1, 32>>>(out);
    check(cudaDeviceSynchronize());

    int *data, bins[32];
    check(cudaMalloc(&data, 32 * sizeof(int)));
#if WRONG == 4
    check(cudaMemset(data, 1000, 32 * sizeof(int))); // 4: bad-argument
#elif WRONG == 5
    check(cudaMemset(data, 32 * sizeof(int), 0)); // 5: bad-argument
    check(cudaMemset(data, 0, 32 * sizeof(int)));
#else
    check(cudaMemset(data, 0xffffffff, 32 * sizeof(int)));
    check(cudaMemset(data, 0x7f7f7f7f, 32 * sizeof(int)));
#endif
    count<<<1, 32>>>(data);
#if WRONG == 6
    check(cudaMemcpyFromSymbol(bins, histogram, sizeof(bins), 0, cudaMemcpyHostToDevice)); // 6: copy-kind
#else
    check(cudaMemcpyFromSymbol(bins, histogram, sizeof(bins)));
#endif

    Rows rows;
    check(cudaMallocPitch(&rows.data, &rows.pitch, 20 * sizeof(double), 9));
#if WRONG == 7
    check(cudaMemset(rows.data, 0, 20 * sizeof(double) * 9)); // 7: dense-rows
#elif WRONG == 8
    check(cudaMemset2D(rows.data, 20 * sizeof(double), 0, 20 * sizeof(double), 9)); // 8: dense-rows
#else
    check(cudaMemset(rows.data, 0, rows.pitch * 9));
    check(cudaMemset2D(rows.data, rows.pitch, 0, 20 * sizeof(double), 9));
#endif

    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    check(cudaMallocArray(&array, &format, 8, 2));
#if WRONG == 9
    check(cudaMemcpy2DToArray(array, 0, 0, out, 32, 32, 2, cudaMemcpyHostToDevice)); // 9: copy-kind
#else
    check(cudaMemcpy2DToArray(array, 0, 0, out, 32, 32, 2, cudaMemcpyDeviceToDevice));
#endif
    check(cudaFreeArray(array));
    check(cudaFree(rows.data));
    check(cudaFree(data));
    check(cudaFree(out));
}
