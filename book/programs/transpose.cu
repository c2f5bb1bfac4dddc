// Transpose: through a tile in shared memory, whose rows have one column more
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

const int TILE = 32, ROWS = 8;

__global__ void transpose(const float *in, float *out, int width, int height) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        if (x < width && y + row < height) tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        if (x < height && y + row < width) out[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
}

int main() {
    const int width = 200, height = 300;
    const size_t bytes = sizeof(float) * width * height;
    std::vector<float> matrix(width * height), transposed(width * height);
    for (int i = 0; i < width * height; i++) matrix[i] = i;
    float *in, *out;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemcpy(in, matrix.data(), bytes, cudaMemcpyHostToDevice));

    dim3 blocks((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    transpose<<<blocks, dim3(TILE, ROWS)>>>(in, out, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(transposed.data(), out, bytes, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) wrong += transposed[x * height + y] != matrix[y * width + x];
    printf("row 1 begins with %g %g %g, %d elements are wrong\n", transposed[height], transposed[height + 1],
           transposed[height + 2], wrong);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
