__global__ void k(float *a, int n)
{
    int i := threadIdx.x;
    a[i] = 1.0f;
}
// ANCHOR: errors
error: C has no `:=`
 --> assign_colon.cu:3:11
  |
3 |     int i := threadIdx.x;
  |           ^^
  |
help: write `=`
