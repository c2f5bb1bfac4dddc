// Scan: prefix sums of blocks, then of their totals
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

const int BLOCK = 256;

// Each block's prefix sums, and its total.
__global__ void scan(const int *in, int *out, int *totals, int n) {
    __shared__ int sums[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        int left = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += left;
        __syncthreads();
    }
    if (i < n) out[i] = sums[threadIdx.x];
    if (threadIdx.x == BLOCK - 1) totals[blockIdx.x] = sums[BLOCK - 1];
}

// Adds what is before each block.
__global__ void add(int *out, const int *totals, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += totals[blockIdx.x - 1];
}

int main() {
    const int n = 10000, blocks = (n + BLOCK - 1) / BLOCK;
    static_assert((10000 + BLOCK - 1) / BLOCK <= BLOCK, "one block scans the totals");
    std::vector<int> numbers(n), sums(n);
    for (int i = 0; i < n; i++) numbers[i] = i % 10;
    int *in, *out, *totals, *none;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMalloc(&totals, blocks * sizeof(int)));
    CHECK(cudaMalloc(&none, sizeof(int)));
    CHECK(cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    scan<<<blocks, BLOCK>>>(in, out, totals, n);
    CHECK(cudaGetLastError());
    scan<<<1, BLOCK>>>(totals, totals, none, blocks);
    CHECK(cudaGetLastError());
    add<<<blocks, BLOCK>>>(out, totals, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(sums.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));

    int sum = 0, wrong = 0;
    for (int i = 0; i < n; i++) {
        sum += numbers[i];
        wrong += sums[i] != sum;
    }
    printf("last sum %d, %d of %d are wrong\n", sums[n - 1], wrong, n);
    for (int *buffer : {in, out, totals, none}) CHECK(cudaFree(buffer));
}
