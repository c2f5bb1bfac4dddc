__global__ void copy(const float *in, float *out, int n)
{
    __shared__ float tile[N];
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < N) tile[threadIdx.x] = in[i];
    out[i] = tile[threadIdx.x];
}
// ANCHOR: errors
error: use of undeclared identifier `N`
 --> length_not_defined.cu:3:27
  |
3 |     __shared__ float tile[N];
  |                           ^
  |
help: define it first: `#define N 256`, or `constexpr int N = 256;`

error: use of undeclared identifier `BLOCK_SIZE`
 --> length_not_defined.cu:4:26
  |
4 |     int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  |                          ^^^^^^^^^^
  |
help: define it first: `#define BLOCK_SIZE 256`, or `constexpr int BLOCK_SIZE = 256;`
