__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[32][33];
    tile[threadIdx.y, threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x, threadIdx.y];
}
// ANCHOR: errors
error: cannot assign to an array as a whole
 --> comma_index.cu:4:5
  |
4 |     tile[threadIdx.y, threadIdx.x] = in[threadIdx.x];
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: for two dimensions write `[row][column]`: a comma in brackets discards the value before it

error: cannot convert `float[33]` to `float`
 --> comma_index.cu:6:24
  |
6 |     out[threadIdx.x] = tile[threadIdx.x, threadIdx.y];
  |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: for two dimensions write `[row][column]`: a comma in brackets discards the value before it
