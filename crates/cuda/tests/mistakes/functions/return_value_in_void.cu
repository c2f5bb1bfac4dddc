__global__ void first(const int *data, int *out)
{
    if (threadIdx.x > 0)
        return 0;
    *out = data[0];
}
// ANCHOR: errors
error: a `void` function returns no value
 --> return_value_in_void.cu:4:16
  |
4 |         return 0;
  |                ^
  |
help: give it back through a pointer, and write `return;` to leave the kernel
