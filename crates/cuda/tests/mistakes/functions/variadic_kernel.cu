__global__ void sum(int n, ...)
{
}
// ANCHOR: errors
error: a kernel cannot be variadic
 --> variadic_kernel.cu:1:17
  |
1 | __global__ void sum(int n, ...)
  |                 ^^^
  |
help: pass an array in device memory and the number of its elements
