__global__ void k(a, n)
    float *a;
    int n;
{
    if (threadIdx.x < n) a[threadIdx.x] = 1.0f;
}
// ANCHOR: errors
error: the type of the parameter `a` is missing
 --> old_style_parameters.cu:1:19
  |
1 | __global__ void k(a, n)
  |                   ^
  |
help: write its type before it, such as `int a`

error: the type of the parameter `n` is missing
 --> old_style_parameters.cu:1:22
  |
1 | __global__ void k(a, n)
  |                      ^
  |
help: write its type before it, such as `int n`
