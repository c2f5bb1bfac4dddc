__global__ void reverse(int *data)
{
    __shared__ int tile[blockDim.x];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
// ANCHOR: errors
error: the length of an array must be known at compile time
 --> shared_of_block_size.cu:3:25
  |
3 |     __shared__ int tile[blockDim.x];
  |                         ^^^^^^^^^^ expression is not a constant: it must be known at compile time
  |
help: use a constant (`#define`, `constexpr int`, a template parameter), or `extern __shared__ T name[];` with the size given at the launch
