__global__ void count(int *data)
{
    __shared__ int counts[4] = {0, 0, 0, 0};
    __shared__ int total = 0;
    atomicAdd(&counts[threadIdx.x % 4], 1);
    __syncthreads();
    data[threadIdx.x % 4] = counts[threadIdx.x % 4] + total;
}
// ANCHOR: errors
error: a shared variable cannot be initialised: it belongs to all threads of the block
 --> shared_initialised.cu:3:32
  |
3 |     __shared__ int counts[4] = {0, 0, 0, 0};
  |                                ^^^^^^^^^^^^
  |
help: let one thread (or all, in a loop) store the value, then call `__syncthreads()`

error: a shared variable cannot be initialised: it belongs to all threads of the block
 --> shared_initialised.cu:4:28
  |
4 |     __shared__ int total = 0;
  |                            ^
  |
help: let one thread (or all, in a loop) store the value, then call `__syncthreads()`
