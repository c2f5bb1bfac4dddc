namespace tools {
namespace inner {
__device__ float twice(float x)
{
    return x + x;
}
}
}
__global__ void fill(float *out)
{
    out[threadIdx.x] = twice(1.0f);
}
// ANCHOR: errors
error: use of undeclared identifier `twice`
  --> namespace_forgotten.cu:11:24
   |
11 |     out[threadIdx.x] = twice(1.0f);
   |                        ^^^^^
   |
help: it belongs to a namespace: write `tools::inner::twice`
