// Remove the bank conflicts without padding.
//
// The transposition by tiles again. One word of padding a row frees it from bank
// conflicts, but costs 128 bytes of shared memory a tile, and rows of 33 words do not
// begin at multiples of 16 bytes, which wide loads and asynchronous copies need.
//
// Find a layout without conflicts in exactly 32 × 32 words, 4,096 bytes a block.
// Element (row, column) of the tile need not be at `tile[row][column]`: it may be
// anywhere in its row, as long as the kernel stores it there and reads it from there.
// Do not change the loads from and stores to global memory. This is about space: an
// H200 takes the same time with padding.

#define TILE 32

__global__ void transpose(const float *in, float *out, int width, int height)
{
    //<
    __shared__ float tile[TILE][TILE];
    //| skeleton
    __shared__ float tile[TILE][TILE + 1];
    //>
    int row = threadIdx.y, column = threadIdx.x;
    int x = blockIdx.x * TILE + column, y = blockIdx.y * TILE + row;
    if (x < width && y < height) {
        //<
        tile[row][column ^ row] = in[y * width + x];
        //| skeleton
        tile[row][column] = in[y * width + x];
        //| no swizzle
        tile[row][column] = in[y * width + x];
        //| turned by half the row
        tile[row][(column + row / 2) % TILE] = in[y * width + x];
        //>
    }
    __syncthreads();

    // The tile's place in the result, whose rows have `height` elements: the lanes of a
    // warp read a column of the tile.
    row = threadIdx.x;
    column = threadIdx.y;
    x = blockIdx.y * TILE + row;
    y = blockIdx.x * TILE + column;
    if (x < height && y < width) {
        //<
        out[y * height + x] = tile[row][column ^ row];
        //| skeleton
        out[y * height + x] = tile[row][column];
        //| no swizzle
        out[y * height + x] = tile[row][column];
        //| swizzled on one side
        out[y * height + x] = tile[row][column];
        //| turned by half the row
        out[y * height + x] = tile[row][(column + row / 2) % TILE];
        //>
    }
}
