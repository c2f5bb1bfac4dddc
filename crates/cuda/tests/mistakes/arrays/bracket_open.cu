__global__ void k(float *a, int n)
{
    int i = threadIdx.x;
    if (i < n) a[i = 1.0f;
}
// ANCHOR: errors
error: expected `]`
 --> bracket_open.cu:4:19
  |
4 |     if (i < n) a[i = 1.0f;
  |                 - ^ write `]` here
  |                 |
  |                 to match this `[`
