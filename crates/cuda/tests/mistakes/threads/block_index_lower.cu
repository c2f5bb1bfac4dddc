__global__ void k(float *a)
{
    int i = blockidx.x * blockdim.x + threadidx.x;
    a[i] = 1.0f;
}
// ANCHOR: errors
error: nothing is called `blockidx`
 --> block_index_lower.cu:3:13
  |
3 |     int i = blockidx.x * blockdim.x + threadidx.x;
  |             ^^^^^^^^
  |
help: did you mean `blockIdx`?

error: nothing is called `blockdim`
 --> block_index_lower.cu:3:26
  |
3 |     int i = blockidx.x * blockdim.x + threadidx.x;
  |                          ^^^^^^^^
  |
help: did you mean `blockDim`?

error: nothing is called `threadidx`
 --> block_index_lower.cu:3:39
  |
3 |     int i = blockidx.x * blockdim.x + threadidx.x;
  |                                       ^^^^^^^^^
  |
help: did you mean `threadIdx`?
