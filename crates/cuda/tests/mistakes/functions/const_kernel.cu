// A method's `const` behind a kernel.
__global__ void scale(float *x, float f) const
{
    x[threadIdx.x] *= f;
}
// ANCHOR: errors
error: `scale` is no method: there is no object that is not to be changed
 --> const_kernel.cu:2:17
  |
2 | __global__ void scale(float *x, float f) const
  |                 ^^^^^
  |
help: remove the `const` behind the parameters
