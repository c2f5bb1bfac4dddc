__global__ void last(float *data)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[32] + tile[-1];
}
// ANCHOR: warnings
warning[out-of-bounds]: `tile` has 32 elements, and this is not one of them
 --> out_of_bounds.cu:6:30
  |
6 |     data[threadIdx.x] = tile[32] + tile[-1];
  |                              ^^ the index is 32
  |
help: the first element has the index 0, the last one 31

warning[out-of-bounds]: `tile` has 32 elements, and this is not one of them
 --> out_of_bounds.cu:6:41
  |
6 |     data[threadIdx.x] = tile[32] + tile[-1];
  |                                         ^^ the index is -1
  |
help: the first element has the index 0, the last one 31
