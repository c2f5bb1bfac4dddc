// options: --device-debug
// The products of labs 4.3 and 4.5 as a build for debugging compiles them: nothing optimised, each variable in memory,
// each function called.

#define SIZE 16

struct Matrix {
    size_t rows;
    size_t columns;
    float *elements;
    size_t stride;
};

__device__ float get(const Matrix m, size_t row, size_t column) { return m.elements[row * m.stride + column]; }

extern "C" __global__ void debug_product(const Matrix a, const Matrix b, const Matrix c) {
    size_t row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= c.rows || column >= c.columns) return;
    float sum = 0.0f;
    for (size_t k = 0; k < a.columns; k++) sum += get(a, row, k) * get(b, k, column);
    c.elements[row * c.stride + column] = sum;
}

// For lengths that are multiples of SIZE.
extern "C" __global__ void debug_tiled(const Matrix a, const Matrix b, const Matrix c) {
    __shared__ float left[SIZE][SIZE], right[SIZE][SIZE];
    int x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * SIZE + y, column = blockIdx.x * SIZE + x;
    float sum = 0.0f;
    for (size_t start = 0; start < a.columns; start += SIZE) {
        left[y][x] = get(a, row, start + x);
        right[y][x] = get(b, start + y, column);
        __syncthreads();
        for (int k = 0; k < SIZE; k++) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c.elements[row * c.stride + column] = sum;
}
