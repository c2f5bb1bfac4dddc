__global__ void k(float *a, int n)
{
    if (a == null) return;
    a[0] = n;
}
// ANCHOR: errors
error: nothing is called `null`
 --> null_lower.cu:3:14
  |
3 |     if (a == null) return;
  |              ^^^^
  |
help: a pointer that leads nowhere is `nullptr`
