__global__ void scale(float *data float factor, int n)
{
    if (threadIdx.x < n)
        data[threadIdx.x] *= factor;
}
// ANCHOR: errors
error: expected `,` or `)` after this parameter, found `float`
 --> missing_comma.cu:1:34
  |
1 | __global__ void scale(float *data float factor, int n)
  |                                  ^ write `,` here
