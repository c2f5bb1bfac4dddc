__global__ void inner(float *data, int n)
{
    int i = threadIdx.x;
    if (0 < i < n - 1)
        data[i] = 0.0f;
}
// ANCHOR: warnings
warning[chained-comparison]: comparisons cannot be chained like this
 --> chained_comparison.cu:4:9
  |
4 |     if (0 < i < n - 1)
  |         ^^^^^^^^^^^^^ the first comparison gives 0 or 1, which is then compared
  |
help: write two comparisons with `i`, joined by `&&`
