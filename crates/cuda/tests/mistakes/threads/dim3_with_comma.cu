__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    dim3 d = 3, 4;
    out[i] = d.x;
}
// ANCHOR: errors
error: several values must be in braces
 --> dim3_with_comma.cu:4:14
  |
4 |     dim3 d = 3, 4;
  |              ^^^^
  |
help: write `{…}` around them
