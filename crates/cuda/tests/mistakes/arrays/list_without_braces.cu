__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a[3] = 1, 2, 3;
    out[i] = a[0];
}
// ANCHOR: errors
error: several values must be in braces
 --> list_without_braces.cu:4:16
  |
4 |     int a[3] = 1, 2, 3;
  |                ^^^^^^^
  |
help: write `{…}` around them
