__global__ void fill float *a, int n)
{
    a[threadIdx.x] = n;
}
// ANCHOR: errors
error: expected `(`
 --> parameters_without_parenthesis.cu:1:21
  |
1 | __global__ void fill float *a, int n)
  |                     ^ write `(` here
