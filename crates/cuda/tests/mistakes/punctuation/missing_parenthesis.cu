__global__ void scale(float *data, float factor, int n)
{
    int i = blockIdx.x * (blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= factor;
}
// ANCHOR: errors
error: expected `)`
 --> missing_parenthesis.cu:3:51
  |
3 |     int i = blockIdx.x * (blockDim.x + threadIdx.x;
  |                          - to match this `(`      ^ write `)` here
