// The product of two square matrices, row by row in memory, tile by tile through shared memory: a block of TILE x TILE
// threads computes a tile of c. For n a multiple of TILE.

#define TILE 16

extern "C" __global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        left[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
