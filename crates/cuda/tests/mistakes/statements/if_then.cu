__global__ void positive(float *a, int n)
{
    int i = threadIdx.x;
    if (i < n) then a[i] = 1;
}
// ANCHOR: errors
error: unknown type name `then`
 --> if_then.cu:4:16
  |
4 |     if (i < n) then a[i] = 1;
  |                ^^^^
  |
help: C has no `then`: the statement follows the parentheses of `if`
