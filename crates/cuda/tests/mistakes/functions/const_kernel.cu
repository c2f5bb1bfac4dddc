// A method's `const` behind a kernel.
__global__ void scale(float *x, float f) const
{
    x[threadIdx.x] *= f;
}
// ANCHOR: errors
error: function `scale` cannot be `const`: it has no object that it could leave unchanged
 --> const_kernel.cu:2:17
  |
2 | __global__ void scale(float *x, float f) const
  |                 ^^^^^
  |
help: remove the `const` after the parameters
