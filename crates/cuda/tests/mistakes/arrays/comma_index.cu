__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[32][33];
    tile[threadIdx.y, threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x, threadIdx.y];
}
// ANCHOR: errors
error: an array cannot be assigned as a whole
 --> comma_index.cu:4:5
  |
4 |     tile[threadIdx.y, threadIdx.x] = in[threadIdx.x];
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: for two dimensions write `[row][column]`: a comma between brackets drops what is before it

error: `float[33]` cannot be converted to `float`
 --> comma_index.cu:6:24
  |
6 |     out[threadIdx.x] = tile[threadIdx.x, threadIdx.y];
  |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: for two dimensions write `[row][column]`: a comma between brackets drops what is before it
