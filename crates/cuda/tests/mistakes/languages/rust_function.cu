fn square(x: f32) -> f32 {
    x * x
}
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = square(x[i]);
}
// ANCHOR: errors
error: C has no `fn`
 --> rust_function.cu:1:1
  |
1 | fn square(x: f32) -> f32 {
  | ^^
  |
help: write the return type instead, such as `void square(float *a, int n) { … }`
