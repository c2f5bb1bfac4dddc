_global_ void fill(float *data)
{
    data[threadIdx.x] = 1.0f;
}
// ANCHOR: errors
error: `_global_` is no specifier of CUDA
 --> misspelt_global.cu:1:1
  |
1 | _global_ void fill(float *data)
  | ^^^^^^^^
  |
help: did you mean `__global__`?
