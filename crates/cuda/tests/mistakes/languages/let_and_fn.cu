__device__ fn square(x: f32) -> f32 { x * x }

__global__ void k(float *a)
{
    a[0] = square(a[0]);
}
// ANCHOR: errors
error: C has no `fn`
 --> let_and_fn.cu:1:12
  |
1 | __device__ fn square(x: f32) -> f32 { x * x }
  |            ^^
  |
help: write the return type instead, such as `void square(float *a, int n) { … }`
