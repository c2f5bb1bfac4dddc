__global__ void sum(double *data)
{
    long double total = data[0];
    __int128 wide = 1;
    data[0] = total + wide;
}
// ANCHOR: errors
error: `long double` is not supported in kernels here
 --> long_double.cu:3:5
  |
3 |     long double total = data[0];
  |     ^^^^^^^^^^^
  |
help: write `double`: a GPU computes with no wider type

error: integers of 128 bits are not supported in kernels here
 --> long_double.cu:4:5
  |
4 |     __int128 wide = 1;
  |     ^^^^^^^^
  |
help: use two of 64 bits, and `__umul64hi` for products
