__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++ out[j] = x[j];
}
// ANCHOR: errors
error: expected `)`
 --> for_without_parenthesis.cu:4:31
  |
4 |     for (int j = 0; j < n; j++ out[j] = x[j];
  |         - to match this `(`   ^ write `)` here
