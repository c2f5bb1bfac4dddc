__global__ void scale(float *data, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x
    if (i < n)
        data[i] *= factor;
}
// ANCHOR: errors
error: expected `;` after this declaration
 --> missing_semicolon.cu:3:50
  |
3 |     int i = blockIdx.x * blockDim.x + threadIdx.x
  |                                                  ^ write `;` here
