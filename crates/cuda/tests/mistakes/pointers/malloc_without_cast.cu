__global__ void work(float *data, int n)
{
    float *scratch = malloc(n * sizeof(float));
    if (scratch) data[threadIdx.x] = scratch[0];
    free(scratch);
}
// ANCHOR: errors
error: cannot convert `void *` to `float *`
 --> malloc_without_cast.cu:3:22
  |
3 |     float *scratch = malloc(n * sizeof(float));
  |                      ^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: C++ requires a cast: write `(float *)` before it
