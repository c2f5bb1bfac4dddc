// The product of two square matrices, stopped after a number of phases: with tiles, and without.
//
// In a phase, `tiled` adds the products of two tiles of TILE x TILE elements, and `plain` the same number of terms of each
// sum. After ceil(n / TILE) phases both have the whole product.
#ifndef TILE
#define TILE 16
#endif

extern "C" __global__ void tiled(const float *a, const float *b, float *c, int n, int phases) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int phase = 0; phase < phases; phase++) {
        int start = phase * TILE;
        left[y][x] = row < n && start + x < n ? a[row * n + start + x] : 0.0f;
        right[y][x] = start + y < n && column < n ? b[(start + y) * n + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

extern "C" __global__ void plain(const float *a, const float *b, float *c, int n, int phases) {
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row >= n || column >= n) return;
    int end = min(n, phases * TILE);
    float sum = 0.0f;
    for (int k = 0; k < end; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
