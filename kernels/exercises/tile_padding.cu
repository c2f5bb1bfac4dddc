// Remove the bank conflicts by padding.
//
// A matrix is transposed by tiles of 32 × 32. The block loads a tile row by row and stores it row by row, so that both
// its loads and its stores of global memory are coalesced; the exchange of rows and columns happens in shared memory,
// from which a warp reads a column of the tile. All 32 words of a column lie in one bank.
//
// Change the tile's layout so that neither the loads from shared memory nor the stores to it have a bank conflict.

#define TILE 32

__global__ void transpose(const float *in, float *out, int width, int height)
{
    //<
    __shared__ float tile[TILE][TILE + 1];
    //| skeleton
    __shared__ float tile[TILE][TILE];
    //| a row more
    __shared__ float tile[TILE + 1][TILE];
    //| two words a row
    __shared__ float tile[TILE][TILE + 2];
    //>
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) {
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    }
    __syncthreads();

    // The tile's place in the result, whose rows have `height` elements.
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width) {
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
    }
}
