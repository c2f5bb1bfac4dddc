__device__ square float(float x)
{
    return x * x;
}
__global__ void squares(float *a)
{
    a[threadIdx.x] = square(a[threadIdx.x]);
}
// ANCHOR: errors
error: the return type of a function comes before its name
 --> type_after_function.cu:1:19
  |
1 | __device__ square float(float x)
  |                   ^^^^^
  |
help: write `float square(…)`
