__global__ void sum(const int *data, int *out)
{
    const int* a, b;
    a = data;
    b = data + 1;
    *out = a[threadIdx.x] + b[threadIdx.x];
}
// ANCHOR: errors
error: `const` variable `b` is not initialised
 --> int_pointers_in_one_line.cu:3:19
  |
3 |     const int* a, b;
  |                   ^
  |
help: each pointer in a declaration needs its own `*`: write `*b` for a pointer
