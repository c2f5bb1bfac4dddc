__global__ void k(a, b, n)
{
    a[threadIdx.x] = b[threadIdx.x];
}
// ANCHOR: errors
error: the type of the parameter `a` is missing
 --> parameters_without_types.cu:1:19
  |
1 | __global__ void k(a, b, n)
  |                   ^
  |
help: write its type before it, such as `int a`

error: the type of the parameter `b` is missing
 --> parameters_without_types.cu:1:22
  |
1 | __global__ void k(a, b, n)
  |                      ^
  |
help: write its type before it, such as `int b`

error: the type of the parameter `n` is missing
 --> parameters_without_types.cu:1:25
  |
1 | __global__ void k(a, b, n)
  |                         ^
  |
help: write its type before it, such as `int n`
