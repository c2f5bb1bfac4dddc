// The product of two square matrices by tiles: a thread computes one element of C, or two by two.
//
// `one` has tiles of 16 x 16 elements, as lab 4.5 has them. `four` has tiles of C of 32 x 32 elements, with as many threads.
#define SIDE 16

__device__ float get(const float *m, int row, int column, int n) {
    return row < n && column < n ? m[row * n + column] : 0.0f;
}

__device__ void set(float *m, int row, int column, int n, float value) {
    if (row < n && column < n) m[row * n + column] = value;
}

extern "C" __global__ void one(const float *a, const float *b, float *c, int n) {
    __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
    float sum = 0.0f;
    for (int start = 0; start < n; start += SIDE) {
        left[y][x] = get(a, row, start + x, n);
        right[y][x] = get(b, start + y, column, n);
        __syncthreads();
        for (int k = 0; k < SIDE; k++) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    set(c, row, column, n, sum);
}

extern "C" __global__ void four(const float *a, const float *b, float *c, int n) {
    __shared__ float left[2 * SIDE][SIDE], right[SIDE][2 * SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 2 * SIDE + y, column = blockIdx.x * 2 * SIDE + x;
    float sums[2][2] = {};
    for (int start = 0; start < n; start += SIDE) {
        for (int i = 0; i < 2; i++) {
            left[y + i * SIDE][x] = get(a, row + i * SIDE, start + x, n);
            right[y][x + i * SIDE] = get(b, start + y, column + i * SIDE, n);
        }
        __syncthreads();
        // ANCHOR: inner
        for (int k = 0; k < SIDE; k++) {
            float l0 = left[y][k], l1 = left[y + SIDE][k];   // two rows of A's tile
            float r0 = right[k][x], r1 = right[k][x + SIDE]; // two columns of B's
            sums[0][0] += l0 * r0;
            sums[0][1] += l0 * r1;
            sums[1][0] += l1 * r0;
            sums[1][1] += l1 * r1;
        }
        // ANCHOR_END: inner
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) set(c, row + i * SIDE, column + j * SIDE, n, sums[i][j]);
}
