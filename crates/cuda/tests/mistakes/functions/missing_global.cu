void collect(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
// ANCHOR: warnings
warning[missing-global]: `collect` is a host function, but this exists only in kernels
 --> missing_global.cu:3:13
  |
1 | void collect(const float *in, float *out, int n)
  |      ------- declared here, without `__global__`
2 | {
3 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
  |             ^^^^^^^^
  |
help: write `__global__ void collect(…)` for a kernel, `__device__` for what a kernel calls
