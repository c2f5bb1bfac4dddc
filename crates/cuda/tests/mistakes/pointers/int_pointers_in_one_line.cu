__global__ void sum(const int *data, int *out)
{
    const int* a, b;
    a = data;
    b = data + 1;
    *out = a[threadIdx.x] + b[threadIdx.x];
}
// ANCHOR: errors
error: `b` is `const` and never given a value
 --> int_pointers_in_one_line.cu:3:19
  |
3 |     const int* a, b;
  |                   ^
  |
help: the `*` before another name is not its own: for a pointer write `*b`
