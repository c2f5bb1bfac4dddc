__global__ void k(a, int n)
{
    a[threadIdx.x] = n;
}
// ANCHOR: errors
error: the type of the parameter `a` is missing
 --> parameter_without_type.cu:1:19
  |
1 | __global__ void k(a, int n)
  |                   ^
  |
help: write its type before it, such as `int a`
