__global__ void k(float *a; float *b; int n)
{
    if (threadIdx.x < n) a[threadIdx.x] = b[threadIdx.x];
}
// ANCHOR: errors
error: parameters are separated by commas
 --> parameters_with_semicolons.cu:1:27
  |
1 | __global__ void k(float *a; float *b; int n)
  |                           ^
  |
help: write `,` instead of `;`
