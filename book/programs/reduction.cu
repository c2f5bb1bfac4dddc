// Reduction: a sum by warps, then by blocks
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t error = (call);                                            \
        if (error != cudaSuccess) {                                            \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__global__ void sum(const int *in, int n, int *total) {
    int own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own += in[i];
    for (int lanes = 16; lanes > 0; lanes /= 2) own += __shfl_down_sync(0xffffffff, own, lanes);

    __shared__ int warps[32];
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x < 32) {
        own = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
        for (int lanes = 16; lanes > 0; lanes /= 2) own += __shfl_down_sync(0xffffffff, own, lanes);
        if (threadIdx.x == 0) atomicAdd(total, own);
    }
}

int main() {
    const int n = 100000;
    std::vector<int> numbers(n);
    for (int i = 0; i < n; i++) numbers[i] = i % 7;
    int *in, *total;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&total, sizeof(int)));
    CHECK(cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(total, 0, sizeof(int)));

    sum<<<32, 256>>>(in, n, total);
    CHECK(cudaGetLastError());
    int found;
    CHECK(cudaMemcpy(&found, total, sizeof(int), cudaMemcpyDeviceToHost));

    int expected = 0;
    for (int number : numbers) expected += number;
    printf("sum %d, expected %d\n", found, expected);
    CHECK(cudaFree(in));
    CHECK(cudaFree(total));
    return found == expected ? 0 : 1;
}
