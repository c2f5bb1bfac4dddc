__global__ void k(float *a, int n)
    int i = threadIdx.x;
    if (i < n) a[i] = 1.0f;
}
// ANCHOR: errors
error: expected `{` at the beginning of the function body
 --> missing_open_brace.cu:1:35
  |
1 | __global__ void k(float *a, int n)
  |                                   ^ write `{` here
