__global__ void halve(float *data, float *other, int n)
{
    int i = threadIdx.x;
    data[i] = data[i] >> 1;
    if (data[i] & 1) data[i] = ~data[i];
    float *middle = (data + other) / 2;
    *middle = 0.0f;
}
// ANCHOR: errors
error: invalid operands of `>>`: `float` and `int`
 --> bits_of_float.cu:4:23
  |
4 |     data[i] = data[i] >> 1;
  |                       ^^
  |
help: it operates on bits: convert with `(int)x`, or take the bits of a `float` with `__float_as_uint(x)`

error: invalid operands of `&`: `float` and `int`
 --> bits_of_float.cu:5:17
  |
5 |     if (data[i] & 1) data[i] = ~data[i];
  |                 ^
  |
help: it operates on bits: convert with `(int)x`, or take the bits of a `float` with `__float_as_uint(x)`

error: invalid operand of `~`: `float`
 --> bits_of_float.cu:5:32
  |
5 |     if (data[i] & 1) data[i] = ~data[i];
  |                                ^^^^^^^^
  |
help: it operates on bits: convert with `(int)x`, or take the bits of a `float` with `__float_as_uint(x)`

error: invalid operands of `+`: `float *` and `float *`
 --> bits_of_float.cu:6:27
  |
6 |     float *middle = (data + other) / 2;
  |                           ^
  |
help: `p - q` is the number of elements between two pointers; for what they point to write `*`, or an index
