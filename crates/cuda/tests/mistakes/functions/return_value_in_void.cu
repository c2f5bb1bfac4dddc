__global__ void first(const int *data, int *out)
{
    if (threadIdx.x > 0)
        return 0;
    *out = data[0];
}
// ANCHOR: errors
error: `void` function should not return a value
 --> return_value_in_void.cu:4:16
  |
4 |         return 0;
  |                ^
  |
help: store it through a pointer, and write `return;` to leave the kernel
