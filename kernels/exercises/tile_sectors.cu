// Transpose by tiles.
//
// Each thread moves one element of a matrix to its place in the transposed one. A warp
// loads a row, 32 neighbouring words, and stores a column, whose 32 words lie in 32
// different sectors.
//
// Move the elements through a tile of 32 × 32 in shared memory, so that a warp stores
// a row of the result. A warp may touch at most five sectors with its load, and at
// most five with its store: 32 words fill four, and touch a fifth where they do not
// begin at a sector. Bank conflicts are not counted here, but you know how to avoid
// them.

#define TILE 32

__global__ void transpose(const float *in, float *out, int width, int height)
{
    //<
    __shared__ float tile[TILE][TILE + 1];
    //| skeleton
    //| the column is loaded
    //>
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    //<
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();

    // The tile's place in the result, whose rows have `height` elements.
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
    //| skeleton
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
    //| the column is loaded
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = in[x * width + y];
    //| a tile, and stores as before
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    if (x < width && y < height) out[x * height + y] = tile[threadIdx.y][threadIdx.x];
    //| the tile turned, and not its place
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    if (x < width && y < height) out[y * width + x] = tile[threadIdx.x][threadIdx.y];
    //| no barrier
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
    //>
}
