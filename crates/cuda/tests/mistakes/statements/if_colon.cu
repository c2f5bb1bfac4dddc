__global__ void k(float *a, int n)
{
    int i = threadIdx.x;
    if (i < n):
        a[i] = 1.0f;
}
// ANCHOR: errors
error: unexpected `:` before a statement
 --> if_colon.cu:4:15
  |
4 |     if (i < n):
  |               ^
  |
help: remove the `:`, and put several statements in braces: `{ … }`
