#include "kernels.cuh"

static __global__ void clear(float *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] = 0;
}

__global__ void multiply(const float *a, const float *b, float *c, int rows, int inner, int columns)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < (inner + TILE - 1) / TILE; tile++) {
        int k = tile * TILE;
        left[threadIdx.y][threadIdx.x] =
            row < rows && k + threadIdx.x < inner ? a[row * inner + k + threadIdx.x] : 0;
        right[threadIdx.y][threadIdx.x] =
            column < columns && k + threadIdx.y < inner ? b[(k + threadIdx.y) * columns + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && column < columns)
        c[row * columns + column] += sum;
}

void launch_multiply(const float *a, const float *b, float *c, int rows, int inner, int columns)
{
    clear<<<(rows * columns + 31) / 32, 32>>>(c, rows * columns);
    dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    multiply<<<grid, block>>>(a, b, c, rows, inner, columns);
    scale<float><<<(rows * columns + 31) / 32, 32>>>(c, 1.0f, rows * columns);
    CHECK(cudaGetLastError());
}
