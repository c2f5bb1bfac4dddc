__global__ void scale(float *a)
{
    a[threadIdx.x] = a[threadIdx.x] * 2f;
}
// ANCHOR: errors
error: invalid suffix `f` on integer constant `2`: only a number with a point or an exponent may end in `f`
 --> number_with_f.cu:3:39
  |
3 |     a[threadIdx.x] = a[threadIdx.x] * 2f;
  |                                       ^^
  |
help: write `2.0f`
