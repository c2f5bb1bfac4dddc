// Matrix product: tiles in shared memory, and events that time it
#include <cmath>
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

const int TILE = 16;

__global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int tile = 0; tile < n; tile += TILE) {
        as[threadIdx.y][threadIdx.x] = a[y * n + tile + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main() {
    const int n = 128; // a multiple of TILE
    const size_t bytes = sizeof(float) * n * n;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 5 - 2;
        b[i] = i % 3 - 1;
    }
    float *da, *db, *dc;
    CHECK(cudaMalloc(&da, bytes));
    CHECK(cudaMalloc(&db, bytes));
    CHECK(cudaMalloc(&dc, bytes));
    CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));

    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));

    double worst = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
            worst = std::fmax(worst, std::fabs(sum - c[y * n + x]));
        }
    printf("largest difference from the host: %g; it took %.3f ms\n", worst, ms);
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    for (float *buffer : {da, db, dc}) CHECK(cudaFree(buffer));
}
