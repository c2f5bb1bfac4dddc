__global__ void sum(double *data)
{
    long double total = data[0];
    __int128 wide = 1;
    data[0] = total + wide;
}
// ANCHOR: errors
error: `long double` is not supported by this compiler
 --> long_double.cu:3:5
  |
3 |     long double total = data[0];
  |     ^^^^^^^^^^^
  |
help: write `double`: a GPU has no wider floating-point type

error: 128-bit integers are not supported by this compiler
 --> long_double.cu:4:5
  |
4 |     __int128 wide = 1;
  |     ^^^^^^^^
  |
help: use two 64-bit integers, and `__umul64hi` for products
