__global__ __launch_bounds__(2048) void work(float *data)
{
    data[threadIdx.x] = 0.0f;
}
// ANCHOR: errors
error: a block of 2048 threads cannot be launched: the limit is 1024
 --> wrong_launch_bounds.cu:1:41
  |
1 | __global__ __launch_bounds__(2048) void work(float *data)
  |                                         ^^^^
  |
help: write `__launch_bounds__(1024)` or less, and launch more blocks
