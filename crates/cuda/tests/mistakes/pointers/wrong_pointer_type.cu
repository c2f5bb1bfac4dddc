__device__ void clear(float *cell)
{
    *cell = 0.0f;
}

__global__ void clear_all(int *counts, double *sums)
{
    clear(&counts[threadIdx.x]);
    float *first = sums;
    *first = 1.0f;
}
// ANCHOR: errors
error: no matching function for call to `clear`: cannot convert argument 1 from `int *` to `float *`
 --> wrong_pointer_type.cu:8:11
  |
1 | __device__ void clear(float *cell)
  |                 ----- declared here
...
8 |     clear(&counts[threadIdx.x]);
  |           ^^^^^^^^^^^^^^^^^^^^
  |
help: pointers to different types do not convert; a cast reinterprets the bytes

error: cannot convert `double *` to `float *`
 --> wrong_pointer_type.cu:9:20
  |
9 |     float *first = sums;
  |                    ^^^^
  |
help: pointers to different types do not convert; a cast reinterprets the bytes
