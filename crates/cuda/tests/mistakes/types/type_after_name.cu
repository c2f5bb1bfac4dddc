__global__ void k(a: float*, n: int)
{
    a[threadIdx.x] = n;
}
// ANCHOR: errors
error: the type of the parameter `a` is missing
 --> type_after_name.cu:1:19
  |
1 | __global__ void k(a: float*, n: int)
  |                   ^
  |
help: in C the type comes before the name, such as `int a` or `float *a`

error: the type of the parameter `n` is missing
 --> type_after_name.cu:1:30
  |
1 | __global__ void k(a: float*, n: int)
  |                              ^
  |
help: in C the type comes before the name, such as `int n` or `float *n`
