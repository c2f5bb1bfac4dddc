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
error: `clear` cannot be called like this: argument 1: `int *` cannot be converted to `float *`
 --> wrong_pointer_type.cu:8:11
  |
1 | __device__ void clear(float *cell)
  |                 ----- declared here
...
8 |     clear(&counts[threadIdx.x]);
  |           ^^^^^^^^^^^^^^^^^^^^
  |
help: pointers to different types are not exchanged; a cast says that you mean the bytes

error: `double *` cannot be converted to `float *`
 --> wrong_pointer_type.cu:9:20
  |
9 |     float *first = sums;
  |                    ^^^^
  |
help: pointers to different types are not exchanged; a cast says that you mean the bytes
