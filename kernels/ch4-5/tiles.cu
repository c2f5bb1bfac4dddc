// The product of two matrices, C = A * B, tile by tile through shared memory: lab 4.5.
//
// A has M rows of N elements, B has N rows of P, C has M rows of P, all in pitched memory. In the first three families a
// block of SIZE x SIZE threads computes a tile of C of that size; the grid is as many blocks as C has tiles, those at the
// edges included. `blocked_R` has 16 x 16 threads, each of which computes R x R elements.

struct Matrix {
    size_t rows;
    size_t columns;
    float *elements;
    size_t stride;
};

// ANCHOR: get
// What lies beyond an edge counts as zero, which adds nothing to a sum.
__device__ float get(const Matrix &m, size_t row, size_t column) {
    return row < m.rows && column < m.columns ? m.elements[row * m.stride + column] : 0.0f;
}
// ANCHOR_END: get

__device__ void set(const Matrix &m, size_t row, size_t column, float value) {
    if (row < m.rows && column < m.columns) m.elements[row * m.stride + column] = value;
}

// ANCHOR: tiled
template <int SIZE> __device__ void tiled(const Matrix &a, const Matrix &b, const Matrix &c) {
    __shared__ float left[SIZE][SIZE], right[SIZE][SIZE];
    int x = threadIdx.x, y = threadIdx.y;
    size_t row = (size_t)blockIdx.y * SIZE + y, column = (size_t)blockIdx.x * SIZE + x;

    float sum = 0.0f;
    for (size_t start = 0; start < a.columns; start += SIZE) {
        left[y][x] = get(a, row, start + x);
        right[y][x] = get(b, start + y, column);
        __syncthreads(); // both tiles are complete
#pragma unroll
        for (int k = 0; k < SIZE; k++) sum += left[y][k] * right[k][x];
        __syncthreads(); // nobody needs them any more
    }
    set(c, row, column, sum);
}
// ANCHOR_END: tiled

// ANCHOR: transposed
// The same with B's tile transposed, so that the inner loop walks along a row of both, as a CPU's cache would like it.
// With PAD 0 the elements of a column lie SIZE words apart, so that few of the banks hold all of them.
template <int SIZE, int PAD> __device__ void transposed(const Matrix &a, const Matrix &b, const Matrix &c) {
    __shared__ float left[SIZE][SIZE], right[SIZE][SIZE + PAD];
    int x = threadIdx.x, y = threadIdx.y;
    size_t row = (size_t)blockIdx.y * SIZE + y, column = (size_t)blockIdx.x * SIZE + x;

    float sum = 0.0f;
    for (size_t start = 0; start < a.columns; start += SIZE) {
        left[y][x] = get(a, row, start + x);
        right[x][y] = get(b, start + y, column);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < SIZE; k++) sum += left[y][k] * right[x][k];
        __syncthreads();
    }
    set(c, row, column, sum);
}
// ANCHOR_END: transposed

#define KERNELS(SIZE)                                                                                                  \
    extern "C" __global__ void tiled_##SIZE(const Matrix a, const Matrix b, const Matrix c) { tiled<SIZE>(a, b, c); }  \
    extern "C" __global__ void transposed_##SIZE(const Matrix a, const Matrix b, const Matrix c) {                     \
        transposed<SIZE, 0>(a, b, c);                                                                                  \
    }                                                                                                                  \
    extern "C" __global__ void padded_##SIZE(const Matrix a, const Matrix b, const Matrix c) {                         \
        transposed<SIZE, 1>(a, b, c);                                                                                  \
    }

KERNELS(8)
KERNELS(16)
KERNELS(32)

// Four neighbouring elements, beyond an edge as zero. `column` is a multiple of 4: rows of pitched memory begin at
// multiples of 512 bytes, so that one load of 16 bytes may bring all four.
__device__ float4 get4(const Matrix &m, size_t row, size_t column) {
    if (row < m.rows && column + 4 <= m.columns) return *(const float4 *)&m.elements[row * m.stride + column];
    return make_float4(get(m, row, column), get(m, row, column + 1), get(m, row, column + 2), get(m, row, column + 3));
}

// COUNT neighbouring words of shared memory at a time.
template <int COUNT> __device__ void copy(float *to, const float *from) {
    if (COUNT == 4) *(float4 *)to = *(const float4 *)from;
    else *(float2 *)to = *(const float2 *)from;
}

// The same from registers.
template <int COUNT> __device__ void put(float *to, const float *from) {
    if (COUNT == 4) *(float4 *)to = make_float4(from[0], from[1], from[2], from[3]);
    else *(float2 *)to = make_float2(from[0], from[1]);
}

#define SIDE 16 // threads of a block in x and in y

// Of A and B, as `blocked` keeps them. A's tile is transposed, so that a thread's rows are neighbours; four words of padding
// keep them aligned and spread the columns over the banks. While one half is read, the other is written.
template <int R> struct __align__(16) Tiles {
    static constexpr int TILE = SIDE * R;                // rows and columns of C
    static constexpr int DEPTH = 4 * SIDE * SIDE / TILE; // of a step: SIDE * SIDE threads bring four words each
    float left[2][DEPTH][TILE + 4], right[2][DEPTH][TILE];
};

// ANCHOR: blocked
// Tiles of registers: a thread computes R x R elements of C, so that each of the 2 * R words that it reads from shared
// memory for a k is used R times. In a step each thread brings four words of A and four of B, for the next step while
// this one is computed. INSIDE: the block's tiles reach beyond no edge.
template <int R, bool INSIDE>
__device__ void blocked(const Matrix &a, const Matrix &b, const Matrix &c, Tiles<R> &tiles) {
    constexpr int TILE = Tiles<R>::TILE, DEPTH = Tiles<R>::DEPTH;
    constexpr int WIDE = R < 4 ? R : 4; // neighbouring rows or columns; a thread has R / WIDE groups of them

    int x = threadIdx.x, y = threadIdx.y, thread = y * SIDE + x;
    int row_a = thread / (DEPTH / 4), k_a = thread % (DEPTH / 4) * 4; // which words of A's tile are this thread's
    int k_b = thread / (TILE / 4), column_b = thread % (TILE / 4) * 4;
    size_t row = (size_t)blockIdx.y * TILE, column = (size_t)blockIdx.x * TILE;
    const float *next_a = &a.elements[(row + row_a) * a.stride + k_a];
    const float *next_b = &b.elements[k_b * b.stride + column + column_b];
    float4 from_a, from_b;
    float sums[R][R] = {};

    auto load = [&](size_t start) {
        if (INSIDE) {
            from_a = *(const float4 *)next_a;
            from_b = *(const float4 *)next_b;
            next_a += DEPTH;
            next_b += DEPTH * b.stride;
        } else {
            from_a = get4(a, row + row_a, start + k_a);
            from_b = get4(b, start + k_b, column + column_b);
        }
    };
    auto store = [&](int half) {
        tiles.left[half][k_a + 0][row_a] = from_a.x;
        tiles.left[half][k_a + 1][row_a] = from_a.y;
        tiles.left[half][k_a + 2][row_a] = from_a.z;
        tiles.left[half][k_a + 3][row_a] = from_a.w;
        *(float4 *)&tiles.right[half][k_b][column_b] = from_b;
    };

    load(0);
    store(0);
    __syncthreads();
    int half = 0;
    for (size_t start = 0; start < a.columns; start += DEPTH) {
        bool more = start + DEPTH < a.columns;
        if (more) load(start + DEPTH);
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float l[R], r[R];
#pragma unroll
            for (int g = 0; g < R; g += WIDE) {
                copy<WIDE>(&l[g], &tiles.left[half][k][g * SIDE + y * WIDE]);
                copy<WIDE>(&r[g], &tiles.right[half][k][g * SIDE + x * WIDE]);
            }
#pragma unroll
            for (int i = 0; i < R; i++)
#pragma unroll
                for (int j = 0; j < R; j++) sums[i][j] += l[i] * r[j];
        }
        half ^= 1;
        if (more) store(half);
        __syncthreads(); // one half is complete, and nobody needs the other any more
    }

#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < R; j += WIDE) {
            size_t at_row = row + i / WIDE * WIDE * SIDE + y * WIDE + i % WIDE, at_column = column + j * SIDE + x * WIDE;
            if (INSIDE) put<WIDE>(&c.elements[at_row * c.stride + at_column], &sums[i][j]);
            else for (int n = 0; n < WIDE; n++) set(c, at_row, at_column + n, sums[i][j + n]);
        }
}

template <int R> __device__ void blocked(const Matrix &a, const Matrix &b, const Matrix &c) {
    __shared__ Tiles<R> tiles;
    constexpr size_t TILE = Tiles<R>::TILE, DEPTH = Tiles<R>::DEPTH;
    bool inside = (blockIdx.y + 1) * TILE <= c.rows && (blockIdx.x + 1) * TILE <= c.columns && a.columns % DEPTH == 0;
    if (inside) blocked<R, true>(a, b, c, tiles);
    else blocked<R, false>(a, b, c, tiles);
}
// ANCHOR_END: blocked

extern "C" __global__ void __launch_bounds__(SIDE *SIDE) blocked_2(const Matrix a, const Matrix b, const Matrix c) {
    blocked<2>(a, b, c);
}
extern "C" __global__ void __launch_bounds__(SIDE *SIDE) blocked_4(const Matrix a, const Matrix b, const Matrix c) {
    blocked<4>(a, b, c);
}
// Two blocks to a multiprocessor, so at most 128 registers a thread.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE, 2) blocked_8(const Matrix a, const Matrix b, const Matrix c) {
    blocked<8>(a, b, c);
}

// ANCHOR: peak
// Nothing but multiply-adds: what the chip can do. Eight sums, so that none waits for its last one.
extern "C" __global__ void multiply_adds(float *out, float factor, float term, int rounds) {
    float sums[8];
#pragma unroll
    for (int i = 0; i < 8; i++) sums[i] = threadIdx.x + i;
    for (int round = 0; round < rounds; round++)
#pragma unroll
        for (int repeat = 0; repeat < 16; repeat++)
#pragma unroll
            for (int i = 0; i < 8; i++) sums[i] = sums[i] * factor + term;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; i++) sum += sums[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// ANCHOR_END: peak
