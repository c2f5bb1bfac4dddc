__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = 0;
    whlie (j < n) { out[j] = x[j]; j++; }
}
// ANCHOR: errors
error: use of undeclared identifier `whlie`
 --> keyword_while_misspelt.cu:5:5
  |
5 |     whlie (j < n) { out[j] = x[j]; j++; }
  |     ^^^^^
  |
help: did you mean `while`?
