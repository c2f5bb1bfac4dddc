__global__ void k(float *a)
{
    int i = blockidx.x * blockdim.x + threadidx.x;
    a[i] = 1.0f;
}
// ANCHOR: errors
error: use of undeclared identifier `blockidx`
 --> block_index_lower.cu:3:13
  |
3 |     int i = blockidx.x * blockdim.x + threadidx.x;
  |             ^^^^^^^^
  |
help: did you mean `blockIdx`?

error: use of undeclared identifier `blockdim`
 --> block_index_lower.cu:3:26
  |
3 |     int i = blockidx.x * blockdim.x + threadidx.x;
  |                          ^^^^^^^^
  |
help: did you mean `blockDim`?

error: use of undeclared identifier `threadidx`
 --> block_index_lower.cu:3:39
  |
3 |     int i = blockidx.x * blockdim.x + threadidx.x;
  |                                       ^^^^^^^^^
  |
help: did you mean `threadIdx`?
