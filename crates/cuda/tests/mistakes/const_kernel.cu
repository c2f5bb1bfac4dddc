// A method's `const` behind a kernel.
__global__ void scale(float *x, float f) const
{
    x[threadIdx.x] *= f;
}
