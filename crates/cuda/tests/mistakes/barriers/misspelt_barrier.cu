__global__ void reverse(int *data)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthread();
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
// ANCHOR: errors
error: use of undeclared identifier `__syncthread`
 --> misspelt_barrier.cu:5:5
  |
5 |     __syncthread();
  |     ^^^^^^^^^^^^
  |
help: did you mean `__syncthreads`?
