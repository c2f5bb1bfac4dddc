__device__ float square(float x) return x * x;
__global__ void squares(float *a)
{
    a[threadIdx.x] = square(a[threadIdx.x]);
}
// ANCHOR: errors
error: a function body must be in braces
 --> body_without_braces.cu:1:34
  |
1 | __device__ float square(float x) return x * x;
  |                                  ^^^^^^
  |
help: write `{ return …; }`
