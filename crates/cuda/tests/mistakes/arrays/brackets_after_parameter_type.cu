__global__ void k(float[] a, int n)
{
    if (threadIdx.x < n) a[threadIdx.x] = 1.0f;
}
// ANCHOR: errors
error: brackets are not allowed here: to declare an array, place them after the name
 --> brackets_after_parameter_type.cu:1:24
  |
1 | __global__ void k(float[] a, int n)
  |                        ^^
  |
help: write `float *a`: an array is passed as a pointer
