_global_ void k(float *a)
{
    a[threadIdx.x] = 1.0f;
}
// ANCHOR: errors
error: unknown specifier `_global_`
 --> one_underscore.cu:1:1
  |
1 | _global_ void k(float *a)
  | ^^^^^^^^
  |
help: did you mean `__global__`?
