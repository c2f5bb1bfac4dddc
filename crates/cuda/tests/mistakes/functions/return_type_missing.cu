__device__ square(float x)
{
    return x * x;
}

__global__ void k(float *a)
{
    a[0] = square(a[0]);
}
// ANCHOR: errors
error: the return type of `square` is missing
 --> return_type_missing.cu:1:12
  |
1 | __device__ square(float x)
  |            ^^^^^^
  |
help: write it before the name, such as `void square(…)`
