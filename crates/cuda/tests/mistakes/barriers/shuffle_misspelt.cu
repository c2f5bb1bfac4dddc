__global__ void k(float *x)
{
    x[threadIdx.x] = __shufl_down_sync(0xffffffff, x[threadIdx.x], 1);
    x[threadIdx.x] += cospif(make_flaot2(1.0f, 2.0f).x);
}
// ANCHOR: errors
error: use of undeclared identifier `__shufl_down_sync`
 --> shuffle_misspelt.cu:3:22
  |
3 |     x[threadIdx.x] = __shufl_down_sync(0xffffffff, x[threadIdx.x], 1);
  |                      ^^^^^^^^^^^^^^^^^
  |
help: did you mean `__shfl_down_sync`?

error: use of undeclared identifier `make_flaot2`
 --> shuffle_misspelt.cu:4:30
  |
4 |     x[threadIdx.x] += cospif(make_flaot2(1.0f, 2.0f).x);
  |                              ^^^^^^^^^^^
  |
help: did you mean `make_float2`?
