__global__ void k(float *a, int n)
{
    if (a == null) return;
    a[0] = n;
}
// ANCHOR: errors
error: use of undeclared identifier `null`
 --> null_lower.cu:3:14
  |
3 |     if (a == null) return;
  |              ^^^^
  |
help: the null pointer is `nullptr`
