// Take one barrier for each pair of tiles.
//
// A block loads a tile of A and one of B, waits at a barrier, adds up products, and
// waits at a second barrier, because the next tiles go to the same place.
//
// Give each matrix two tiles in shared memory, used alternately: then one barrier for
// each pair of tiles is enough, and one more for the first. While a block computes with
// one pair, its loads of the next can be on their way to registers, from where they are
// stored to the other pair. A thread still loads one element of A and one of B for each
// pair. The side n of the matrices is a multiple of 16.

#define TILE 16

__global__ void product(const float *a, const float *b, float *c, int n)
{
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0.0f;
    //<
    __shared__ float left[2][TILE][TILE], right[2][TILE][TILE];
    left[0][y][x] = a[row * n + x];
    right[0][y][x] = b[y * n + column];
    __syncthreads();
    for (int start = 0, now = 0; start < n; start += TILE, now = 1 - now) {
        int next = start + TILE;
        float next_left = 0.0f, next_right = 0.0f;
        if (next < n) {
            next_left = a[row * n + next + x];
            next_right = b[(next + y) * n + column];
        }
        for (int k = 0; k < TILE; k++) sum += left[now][y][k] * right[now][k][x];
        left[1 - now][y][x] = next_left;
        right[1 - now][y][x] = next_right;
        __syncthreads();
    }
    //| skeleton
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    for (int start = 0; start < n; start += TILE) {
        left[y][x] = a[row * n + start + x];
        right[y][x] = b[(start + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    //| one barrier and one pair of tiles
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    for (int start = 0; start < n; start += TILE) {
        left[y][x] = a[row * n + start + x];
        right[y][x] = b[(start + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += left[y][k] * right[k][x];
    }
    //| the same pair again
    __shared__ float left[2][TILE][TILE], right[2][TILE][TILE];
    left[0][y][x] = a[row * n + x];
    right[0][y][x] = b[y * n + column];
    __syncthreads();
    for (int start = 0, now = 0; start < n; start += TILE) {
        int next = start + TILE;
        float next_left = 0.0f, next_right = 0.0f;
        if (next < n) {
            next_left = a[row * n + next + x];
            next_right = b[(next + y) * n + column];
        }
        for (int k = 0; k < TILE; k++) sum += left[now][y][k] * right[now][k][x];
        left[now][y][x] = next_left;
        right[now][y][x] = next_right;
        __syncthreads();
    }
    //| past the last tile
    __shared__ float left[2][TILE][TILE], right[2][TILE][TILE];
    left[0][y][x] = a[row * n + x];
    right[0][y][x] = b[y * n + column];
    __syncthreads();
    for (int start = 0, now = 0; start < n; start += TILE, now = 1 - now) {
        float next_left = a[row * n + start + TILE + x];
        float next_right = b[(start + TILE + y) * n + column];
        for (int k = 0; k < TILE; k++) sum += left[now][y][k] * right[now][k][x];
        left[1 - now][y][x] = next_left;
        right[1 - now][y][x] = next_right;
        __syncthreads();
    }
    //| without tiles
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    //>
    c[row * n + column] = sum;
}
