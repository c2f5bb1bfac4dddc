__global__ void k(float *a, const n)
{
    a[0] = n;
}
// ANCHOR: errors
error: the type of the parameter `n` is missing
 --> const_after.cu:1:35
  |
1 | __global__ void k(float *a, const n)
  |                                   ^
  |
help: write its type before it, such as `int n`
