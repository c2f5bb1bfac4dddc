// Remove the bank conflicts by padding.
//
// Each element of C is the product of a row of A and a row of B: C = A · Bᵀ. The block
// loads both tiles row by row, so that its loads from global memory are coalesced. In
// the inner loop the lanes of a warp have the same y and different x: all of them read
// one word of `left`, and each of them reads a word of a different row of `right`.
// These 32 words are a column of the tile, and all of them lie in one bank.
//
// Change the layout in shared memory so that neither loads from it nor stores to it
// have bank conflicts. The loads from global memory stay as they are, four sectors a
// request. The side n of the matrices is a multiple of 32.

#define TILE 32

__global__ void product(const float *a, const float *b, float *c, int n)
{
    //<
    __shared__ float left[TILE][TILE], right[TILE][TILE + 1];
    //| skeleton
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    //| a row more
    __shared__ float left[TILE][TILE], right[TILE + 1][TILE];
    //| two words a row
    __shared__ float left[TILE][TILE], right[TILE][TILE + 2];
    //| transposed where it is stored
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    //>
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;

    float sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        left[y][x] = a[row * n + start + x];
        //<
        right[y][x] = b[(blockIdx.x * TILE + y) * n + start + x];
        //| transposed where it is stored
        right[x][y] = b[(blockIdx.x * TILE + y) * n + start + x];
        //>
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            //<
            sum += left[y][k] * right[x][k];
            //| transposed where it is stored
            sum += left[y][k] * right[k][x];
            //>
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}
