__global__ void reverse(int *data)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
// ANCHOR: warnings
warning[missing-barrier]: this reads an element of `tile` that another thread writes, without a barrier in between
 --> missing_barrier.cu:5:25
  |
4 |     tile[threadIdx.x] = data[threadIdx.x];
  |     ------------------------------------- each thread writes its own element here
5 |     data[threadIdx.x] = tile[63 - threadIdx.x];
  |                         ^^^^^^^^^^^^^^^^^^^^^^ the other thread may not have written it yet
  |
help: write `__syncthreads();` between the store and the load
