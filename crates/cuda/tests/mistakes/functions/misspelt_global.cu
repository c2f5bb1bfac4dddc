_global_ void fill(float *data)
{
    data[threadIdx.x] = 1.0f;
}
// ANCHOR: errors
error: unknown specifier `_global_`
 --> misspelt_global.cu:1:1
  |
1 | _global_ void fill(float *data)
  | ^^^^^^^^
  |
help: did you mean `__global__`?
