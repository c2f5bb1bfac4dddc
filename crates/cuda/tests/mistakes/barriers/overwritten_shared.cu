__global__ void twice(float *data, int n)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = data[y * n + x];
    __syncthreads();
    float value = tile[x][y];
    tile[y][x] = value * 2.0f;
    __syncthreads();
    data[y * n + x] = tile[x][y];
}
// ANCHOR: warnings
warning[missing-barrier]: this overwrites an element of `tile` that another thread may still have to read
 --> overwritten_shared.cu:8:5
  |
7 |     float value = tile[x][y];
  |                   ---------- elements of other threads are read here
8 |     tile[y][x] = value * 2.0f;
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^ there is no barrier between the read and this store
  |
help: write `__syncthreads();` before this store
