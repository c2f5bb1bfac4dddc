#define TILE 16

__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; ++t) {
        as[y][x] = a[row * n + t * TILE + x];
        bs[y][x] = b[(t * TILE + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += as[y][k] * bs[k][x];
    }
    c[row * n + column] = sum;
}
// ANCHOR: warnings
warning[missing-barrier]: this overwrites an element of `as` that another thread may still have to read
  --> missing_second_barrier.cu:10:9
   |
10 |         as[y][x] = a[row * n + t * TILE + x];
   |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the next iteration of the loop stores here, with no barrier after the reads of this one
...
14 |             sum += as[y][k] * bs[k][x];
   |                    -------- elements of other threads are read here
   |
help: write a second `__syncthreads();` at the end of the loop, after the last read

warning[missing-barrier]: this overwrites an element of `bs` that another thread may still have to read
  --> missing_second_barrier.cu:11:9
   |
11 |         bs[y][x] = b[(t * TILE + y) * n + column];
   |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the next iteration of the loop stores here, with no barrier after the reads of this one
...
14 |             sum += as[y][k] * bs[k][x];
   |                               -------- elements of other threads are read here
   |
help: write a second `__syncthreads();` at the end of the loop, after the last read
