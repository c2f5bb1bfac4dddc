__global__ void k(float *a)
{
    uint8 small = 3;
    int32 large = 100000;
    float64 exact = 0.1;
    String name = "k";
    a[0] = small + large + exact;
}
// ANCHOR: errors
error: there is no type `uint8`
 --> types_of_numpy.cu:3:5
  |
3 |     uint8 small = 3;
  |     ^^^^^
  |
help: it is called `unsigned char` here

error: there is no type `int32`
 --> types_of_numpy.cu:4:5
  |
4 |     int32 large = 100000;
  |     ^^^^^
  |
help: it is called `int` here

error: there is no type `float64`
 --> types_of_numpy.cu:5:5
  |
5 |     float64 exact = 0.1;
  |     ^^^^^^^
  |
help: it is called `double` here

error: there is no type `String`
 --> types_of_numpy.cu:6:5
  |
6 |     String name = "k";
  |     ^^^^^^
  |
help: kernels have no strings: pass a number or an `enum`, or a `const char *`
