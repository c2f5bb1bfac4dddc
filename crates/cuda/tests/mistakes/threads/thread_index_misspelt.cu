__global__ void copy(float *to, const float *from)
{
    int i = threadidx.x + blockIdx.x * blockDim.x;
    to[i] = from[i];
}
// ANCHOR: errors
error: use of undeclared identifier `threadidx`
 --> thread_index_misspelt.cu:3:13
  |
3 |     int i = threadidx.x + blockIdx.x * blockDim.x;
  |             ^^^^^^^^^
  |
help: did you mean `threadIdx`?
