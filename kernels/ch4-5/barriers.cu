// The product by tiles with a barrier too few, for lab 4.5: what each of the two is for.
//
// As `tiled_16` of tiles.cu, for lengths that are multiples of SIZE. LOADED: wait until both tiles are complete. USED: wait
// until nobody needs them any more.

#define SIZE 16

template <bool LOADED, bool USED>
__device__ void tiled(const float *a, const float *b, float *c, int inner, int columns) {
    __shared__ float left[SIZE][SIZE], right[SIZE][SIZE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIZE + y, column = blockIdx.x * SIZE + x;
    float sum = 0.0f;
    for (int start = 0; start < inner; start += SIZE) {
        left[y][x] = a[row * inner + start + x];
        right[y][x] = b[(start + y) * columns + column];
        if (LOADED) __syncthreads();
        for (int k = 0; k < SIZE; k++) sum += left[y][k] * right[k][x];
        if (USED) __syncthreads();
    }
    c[row * columns + column] = sum;
}

extern "C" __global__ void both(const float *a, const float *b, float *c, int inner, int columns) {
    tiled<true, true>(a, b, c, inner, columns);
}
extern "C" __global__ void without_first(const float *a, const float *b, float *c, int inner, int columns) {
    tiled<false, true>(a, b, c, inner, columns);
}
extern "C" __global__ void without_second(const float *a, const float *b, float *c, int inner, int columns) {
    tiled<true, false>(a, b, c, inner, columns);
}
