__global__ void divide(int *data)
{
    data[threadIdx.x] = data[threadIdx.x] / 0;
}
// ANCHOR: warnings
warning[division-by-zero]: integer division by zero
 --> division_by_zero.cu:3:45
  |
3 |     data[threadIdx.x] = data[threadIdx.x] / 0;
  |                                             ^ this is zero
  |
help: a kernel does not stop here as a host program does: the result is undefined
