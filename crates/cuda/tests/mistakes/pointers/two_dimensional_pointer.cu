__global__ void transpose(const float *in, float *out)
{
    out[threadIdx.x][threadIdx.y] = in[threadIdx.y][threadIdx.x];
}
// ANCHOR: errors
error: subscripted value of type `float` is not an array or pointer
 --> two_dimensional_pointer.cu:3:5
  |
3 |     out[threadIdx.x][threadIdx.y] = in[threadIdx.y][threadIdx.x];
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: a pointer has one index: for rows and columns write `p[row * width + column]`

error: subscripted value of type `float` is not an array or pointer
 --> two_dimensional_pointer.cu:3:37
  |
3 |     out[threadIdx.x][threadIdx.y] = in[threadIdx.y][threadIdx.x];
  |                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: a pointer has one index: for rows and columns write `p[row * width + column]`
