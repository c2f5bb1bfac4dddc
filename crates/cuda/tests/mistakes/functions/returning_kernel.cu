__global__ int sum(const int *data, int n)
{
    int total = 0;
    for (int i = 0; i < n; ++i)
        total += data[i];
    return total;
}
// ANCHOR: errors
error: a kernel must return `void`
 --> returning_kernel.cu:1:12
  |
1 | __global__ int sum(const int *data, int n)
  |            ^^^
  |
help: write `__global__ void`, and store results through a pointer
