__device__ float square(float x) { return x * x; }
__global__ void squares(float *a)
{
    a[threadIdx.x] = square a[threadIdx.x];
}
// ANCHOR: errors
error: reference to function `square` must be called
 --> call_without_any_parentheses.cu:4:22
  |
4 |     a[threadIdx.x] = square a[threadIdx.x];
  |                      ^^^^^^
  |
help: call it: `square(…)`
