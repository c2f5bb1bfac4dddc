__global__ void sort(float *keys, int *values)
{
    extern __shared__ float key[];
    extern __shared__ int value[];
    int i = threadIdx.x, j = blockDim.x - 1 - i;
    key[i] = keys[i];
    value[i] = values[i];
    __syncthreads();
    keys[i] = key[j];
    values[i] = value[j];
}
// ANCHOR: warnings
warning[one-shared-memory]: `key` and `value` share the same memory
 --> two_dynamic_arrays.cu:4:27
  |
3 |     extern __shared__ float key[];
  |                             --- all `extern __shared__` arrays begin at the same address
4 |     extern __shared__ int value[];
  |                           ^^^^^
  |
help: make one of them begin after the other, as in `int *value = (int *)&key[blockDim.x];`
