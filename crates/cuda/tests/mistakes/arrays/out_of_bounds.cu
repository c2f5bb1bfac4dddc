__global__ void last(float *data)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[32] + tile[-1];
}
// ANCHOR: warnings
warning[out-of-bounds]: array index 32 is out of bounds of `tile`
 --> out_of_bounds.cu:6:30
  |
6 |     data[threadIdx.x] = tile[32] + tile[-1];
  |                              ^^ it has 32 elements
  |
help: the first element has index 0, the last one 31

warning[out-of-bounds]: array index -1 is out of bounds of `tile`
 --> out_of_bounds.cu:6:41
  |
6 |     data[threadIdx.x] = tile[32] + tile[-1];
  |                                         ^^ it has 32 elements
  |
help: the first element has index 0, the last one 31
