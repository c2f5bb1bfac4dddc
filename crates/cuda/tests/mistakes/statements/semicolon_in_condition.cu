__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n;) { i++; }
}
// ANCHOR: errors
error: unexpected `;` at the end of the condition
 --> semicolon_in_condition.cu:4:17
  |
4 |     while (i < n;) { i++; }
  |                 ^
  |
help: remove the `;`
