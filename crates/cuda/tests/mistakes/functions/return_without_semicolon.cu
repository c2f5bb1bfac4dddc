__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return
    out[i] = x[i];
}
// ANCHOR: errors
error: `void` function should not return a value, but this `return` continues on the next line
 --> return_without_semicolon.cu:4:23
  |
4 |     if (i >= n) return
  |                       ^ write `;` here
