__global__ void reverse(int *data)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads;
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
// ANCHOR: warnings
warning[unused]: reference to `__syncthreads` has no effect: it is not called
 --> barrier_without_parentheses.cu:5:5
  |
5 |     __syncthreads;
  |     ^^^^^^^^^^^^^
  |
help: call it: `__syncthreads()`

warning[missing-barrier]: this reads an element of `tile` that another thread writes, without a barrier in between
 --> barrier_without_parentheses.cu:6:25
  |
4 |     tile[threadIdx.x] = data[threadIdx.x];
  |     ------------------------------------- each thread writes its own element here
5 |     __syncthreads;
6 |     data[threadIdx.x] = tile[63 - threadIdx.x];
  |                         ^^^^^^^^^^^^^^^^^^^^^^ the other thread may not have written it yet
  |
help: write `__syncthreads();` between the store and the load
