__global__ void copy(const float *restrict in, float *restrict out, int n)
{
    if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x];
}
// ANCHOR: errors
error: `restrict` is not a C++ keyword
 --> restrict_of_c.cu:1:35
  |
1 | __global__ void copy(const float *restrict in, float *restrict out, int n)
  |                                   ^^^^^^^^
  |
help: write `__restrict__`

error: `restrict` is not a C++ keyword
 --> restrict_of_c.cu:1:55
  |
1 | __global__ void copy(const float *restrict in, float *restrict out, int n)
  |                                                       ^^^^^^^^
  |
help: write `__restrict__`
