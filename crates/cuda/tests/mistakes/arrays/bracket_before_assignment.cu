__global__ void fill(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[blockIdx.x = 1.0f;
        out[2 * (i + 1) = 2.0f;
    }
}
// ANCHOR: errors
error: expected `]`
 --> bracket_before_assignment.cu:5:23
  |
5 |         out[blockIdx.x = 1.0f;
  |            -          ^ write `]` here
  |            |
  |            to match this `[`

error: expected `]`
 --> bracket_before_assignment.cu:6:24
  |
6 |         out[2 * (i + 1) = 2.0f;
  |            -           ^ write `]` here
  |            |
  |            to match this `[`
