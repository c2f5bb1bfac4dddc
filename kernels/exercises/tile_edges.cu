// Complete the tiles at the edges.
//
// The product by tiles again, for matrices of any size: A has `rows` rows of `inner`
// elements, and B has `inner` rows of `columns` elements. The tiles at the right and at
// the bottom reach past the matrices, and so do the last tiles of each strip. At
// present, threads that have no element of C return at once, although their block needs
// them to load its tiles, and the loads of the others go past the edges.
//
// Make the product right for all sizes. No thread may read or write outside a matrix,
// and all threads of a block must reach every barrier. In an iteration, a thread may
// load at most one element of A and one of B.

#define TILE 16

__global__ void product(const float *a, const float *b, float *c, int rows, int inner,
                        int columns)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    //<
    //| skeleton
    if (row >= rows || column >= columns) return;
    //| zeros inside alone
    if (row >= rows || column >= columns) return;
    //>

    float sum = 0.0f;
    for (int start = 0; start < inner; start += TILE) {
        //<
        bool in_a = row < rows && start + x < inner;
        bool in_b = start + y < inner && column < columns;
        left[y][x] = in_a ? a[row * inner + start + x] : 0.0f;
        right[y][x] = in_b ? b[(start + y) * columns + column] : 0.0f;
        //| skeleton
        left[y][x] = a[row * inner + start + x];
        right[y][x] = b[(start + y) * columns + column];
        //| the nearest element
        int i = min(row, rows - 1), j = min(column, columns - 1);
        left[y][x] = a[i * inner + min(start + x, inner - 1)];
        right[y][x] = b[min(start + y, inner - 1) * columns + j];
        //| nothing beyond the edge
        bool in_a = row < rows && start + x < inner;
        bool in_b = start + y < inner && column < columns;
        if (in_a) left[y][x] = a[row * inner + start + x];
        if (in_b) right[y][x] = b[(start + y) * columns + column];
        //| zeros inside alone
        left[y][x] = start + x < inner ? a[row * inner + start + x] : 0.0f;
        right[y][x] = start + y < inner ? b[(start + y) * columns + column] : 0.0f;
        //>
        //<
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += left[y][k] * right[k][x];
        }
        __syncthreads();
        //| barriers under a condition
        if (row < rows && column < columns) {
            __syncthreads();
            for (int k = 0; k < TILE; k++) {
                sum += left[y][k] * right[k][x];
            }
            __syncthreads();
        }
        //>
    }
    //<
    if (row < rows && column < columns) c[row * columns + column] = sum;
    //| skeleton
    c[row * columns + column] = sum;
    //>
}
