__global__ void work(float *data, int n)
{
    float *scratch = malloc(n * sizeof(float));
    if (scratch) data[threadIdx.x] = scratch[0];
    free(scratch);
}
// ANCHOR: errors
error: `void *` cannot be converted to `float *`
 --> malloc_without_cast.cu:3:22
  |
3 |     float *scratch = malloc(n * sizeof(float));
  |                      ^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: C++ wants a cast here: write `(float *)` before it
