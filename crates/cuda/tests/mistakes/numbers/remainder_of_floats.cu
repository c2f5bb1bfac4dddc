__global__ void wrap(float *data)
{
    data[threadIdx.x] = data[threadIdx.x] % 2.0f;
}
// ANCHOR: errors
error: invalid operands of `%`: `float` and `float`
 --> remainder_of_floats.cu:3:43
  |
3 |     data[threadIdx.x] = data[threadIdx.x] % 2.0f;
  |                                           ^
  |
help: the remainder of floating-point numbers is `fmodf(x, y)`
