__global__ void k(float[] a, int n)
{
    if (threadIdx.x < n) a[threadIdx.x] = 1.0f;
}
// ANCHOR: errors
error: the brackets of an array stand behind its name
 --> brackets_after_parameter_type.cu:1:24
  |
1 | __global__ void k(float[] a, int n)
  |                        ^^
  |
help: write `float *a`: an array is passed as a pointer
