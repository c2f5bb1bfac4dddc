template typename T
__device__ T add(T a, T b) { return a + b; }
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = add(x[i], 1.0f);
}
// ANCHOR: errors
error: template parameters must be in angle brackets
 --> template_without_angles.cu:1:10
  |
1 | template typename T
  |          ^^^^^^^^^^
  |
help: write `template <typename T>`
