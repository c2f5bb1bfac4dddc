__global__ void k(*float a, int n)
{
    int i = threadIdx.x;
    if (i < n) a[i] = 0.0f;
}
// ANCHOR: errors
error: the `*` of a pointer comes after its type
 --> star_before_type.cu:1:19
  |
1 | __global__ void k(*float a, int n)
  |                   ^
  |
help: write `float *a`
