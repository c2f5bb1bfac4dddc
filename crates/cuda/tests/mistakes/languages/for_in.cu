__global__ void k(float *a, int n)
{
    for (int i in 0..n) a[i] = 0.0f;
}
// ANCHOR: errors
error: expected `;` after the first part of `for`, found `in`
 --> for_in.cu:3:15
  |
3 |     for (int i in 0..n) a[i] = 0.0f;
  |               ^ write `;` here
  |
help: `for` is written `for (start; condition; step)`
