__global__ void positive(float *a, int n)
{
    int i = threadIdx.x;
    if i < n {
        a[i] = 1;
    }
}
// ANCHOR: errors
error: expected `(` after `if`, found `i`
 --> if_without_parentheses.cu:4:7
  |
4 |     if i < n {
  |       ^ the condition must be in parentheses
