// The product of two matrices, C = A * B, in pitched memory: lab 4.3.
//
// A has M rows of N elements, B has N rows of P, C has M rows of P. A block of any two-dimensional shape computes as many
// elements of C as it has threads; x counts columns, y counts rows. Blocks may reach beyond C's edges.

// ANCHOR: matrix
// A matrix of rows that lie `stride` elements apart, which pitched memory makes more than `columns`.
struct Matrix {
    size_t rows;
    size_t columns;
    float *elements;
    size_t stride;
};
// ANCHOR_END: matrix

// ANCHOR: access
__device__ float get(const Matrix &m, size_t row, size_t column) { return m.elements[row * m.stride + column]; }

__device__ void set(const Matrix &m, size_t row, size_t column, float value) {
    m.elements[row * m.stride + column] = value;
}
// ANCHOR_END: access

// ANCHOR: naive
extern "C" __global__ void product(const Matrix a, const Matrix b, const Matrix c) {
    size_t row = blockIdx.y * blockDim.y + threadIdx.y;
    size_t column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= c.rows || column >= c.columns) return; // beyond an edge

    float sum = 0.0f;
    for (size_t k = 0; k < a.columns; k++) sum += get(a, row, k) * get(b, k, column);
    set(c, row, column, sum);
}
// ANCHOR_END: naive
