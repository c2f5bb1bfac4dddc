texture<float, 2> t;
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex2D(t, 1, 2);
}
// ANCHOR: errors
error: CUDA no longer has `texture` references
 --> texture_reference.cu:1:1
  |
1 | texture<float, 2> t;
  | ^^^^^^^
  |
help: give the kernel a `cudaTextureObject_t`, and read with `tex2D<float>(object, x, y)`
