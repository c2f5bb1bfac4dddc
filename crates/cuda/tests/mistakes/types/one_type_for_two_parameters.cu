__global__ void k(float *a, *b, int n)
{
    if (threadIdx.x < n) a[threadIdx.x] = b[threadIdx.x];
}
// ANCHOR: errors
error: the type of the parameter `b` is missing
 --> one_type_for_two_parameters.cu:1:30
  |
1 | __global__ void k(float *a, *b, int n)
  |                              ^
  |
help: write its type before it, such as `float *b`: each parameter needs its own type
