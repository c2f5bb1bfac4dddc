__global__ void k(float *a float *b, int n)
{
    if (threadIdx.x < n) a[threadIdx.x] = b[threadIdx.x];
}
// ANCHOR: errors
error: expected `,` or `)` after this parameter, found `float`
 --> parameters_without_comma.cu:1:27
  |
1 | __global__ void k(float *a float *b, int n)
  |                           ^ write `,` here
