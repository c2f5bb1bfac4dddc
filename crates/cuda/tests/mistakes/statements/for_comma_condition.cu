__global__ void k(float *a, int n)
{
    for (int i = 0, i < n; i++) a[i] = 0.0f;
}
// ANCHOR: errors
error: expected `;` before the condition of `for`
 --> for_comma_condition.cu:3:19
  |
3 |     for (int i = 0, i < n; i++) a[i] = 0.0f;
  |                   ^
  |
help: write `for (start; condition; step)`
