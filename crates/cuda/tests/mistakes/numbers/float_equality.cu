__global__ void mark(float *data, int *flags)
{
    if (data[threadIdx.x] == 0.1)
        flags[threadIdx.x] = 1;
}
// ANCHOR: warnings
warning[inexact-comparison]: `0.1` cannot be represented exactly in type `float`
 --> float_equality.cu:3:9
  |
3 |     if (data[threadIdx.x] == 0.1)
  |         ^^^^^^^^^^^^^^^^^^^^^^^^ always false
  |
help: compare the difference with a small number, as in `fabsf(x - 0.1f) < 1e-6f`
