__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    fro (int j = 0; j < n; j++) out[j] = x[j];
}
// ANCHOR: errors
error: use of undeclared identifier `fro`
 --> keyword_for_misspelt.cu:4:5
  |
4 |     fro (int j = 0; j < n; j++) out[j] = x[j];
  |     ^^^
  |
help: did you mean `for`?
