__device__ T add(T a, T b) { return a + b; }
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = add(x[i], 1.0f);
}
// ANCHOR: errors
error: unknown type name `T`
 --> template_undeclared.cu:1:18
  |
1 | __device__ T add(T a, T b) { return a + b; }
  |                  ^
  |
help: for a template, write `template <typename T>` before the declaration
