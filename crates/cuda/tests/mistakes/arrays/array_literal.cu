__global__ void k(float *a, int n)
{
    float w[3] = [0.25f, 0.5f, 0.25f];
    a[0] = w[n];
}
// ANCHOR: errors
error: array values cannot be in brackets
 --> array_literal.cu:3:19
  |
3 |     float w[3] = [0.25f, 0.5f, 0.25f];
  |                   ^^^^^
  |
help: write the values of an array in braces: `{ …, … }`
