__global__ void half_of(float *data)
{
    data[threadIdx.x] = 1f / 2f * data[threadIdx.x];
}
// ANCHOR: errors
error: invalid suffix `f` on integer constant `1`: only a number with a point or an exponent may end in `f`
 --> double_without_point.cu:3:25
  |
3 |     data[threadIdx.x] = 1f / 2f * data[threadIdx.x];
  |                         ^^
  |
help: write `1.0f`
