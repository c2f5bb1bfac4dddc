__device__ square(float x)
{
    return x * x;
}

__global__ void k(float *a)
{
    a[0] = square(a[0]);
}
// ANCHOR: errors
error: `square` has no type: what does it return?
 --> return_type_missing.cu:1:12
  |
1 | __device__ square(float x)
  |            ^^^^^^
  |
help: write the type of its result before it, such as `void square(…)`
