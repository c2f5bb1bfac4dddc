__global__ void k(float *a, int n)
{
    for (int i = 0; i < n) a[i] = 0.0f;
}
// ANCHOR: errors
error: expected `;` after the second part of `for`, found `)`
 --> for_without_step.cu:3:26
  |
3 |     for (int i = 0; i < n) a[i] = 0.0f;
  |                          ^ write `;` here
  |
help: `for` is written `for (start; condition; step)`
