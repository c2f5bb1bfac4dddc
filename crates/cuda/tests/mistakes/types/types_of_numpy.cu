__global__ void k(float *a)
{
    uint8 small = 3;
    int32 large = 100000;
    float64 exact = 0.1;
    String name = "k";
    a[0] = small + large + exact;
}
// ANCHOR: errors
error: unknown type name `uint8`
 --> types_of_numpy.cu:3:5
  |
3 |     uint8 small = 3;
  |     ^^^^^
  |
help: C++ calls it `unsigned char`

error: unknown type name `int32`
 --> types_of_numpy.cu:4:5
  |
4 |     int32 large = 100000;
  |     ^^^^^
  |
help: C++ calls it `int`

error: unknown type name `float64`
 --> types_of_numpy.cu:5:5
  |
5 |     float64 exact = 0.1;
  |     ^^^^^^^
  |
help: C++ calls it `double`

error: unknown type name `String`
 --> types_of_numpy.cu:6:5
  |
6 |     String name = "k";
  |     ^^^^^^
  |
help: kernels have no strings: pass a number or an `enum`, or a `const char *`
