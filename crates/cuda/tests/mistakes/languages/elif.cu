__global__ void k(float *a, int n)
{
    int i = threadIdx.x;
    if (i == 0) a[i] = 1.0f;
    elif (i < n) a[i] = 2.0f;
}
// ANCHOR: errors
error: C has no `elif`
 --> elif.cu:5:5
  |
5 |     elif (i < n) a[i] = 2.0f;
  |     ^^^^
  |
help: write `else if (…)`
