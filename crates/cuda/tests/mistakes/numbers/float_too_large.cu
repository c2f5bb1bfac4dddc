__global__ void scale(float *data, double *wide)
{
    data[0] = 1e50f;
    data[1] = 1e-60f;
    data[2] = 1e50;
    data[3] = 0e500f;
    wide[0] = 1e400;
    int count = 3e9f;
    data[4] = count;
}
// ANCHOR: errors
error: `1e50f` is too large for a `float`
 --> float_too_large.cu:3:15
  |
3 |     data[0] = 1e50f;
  |               ^^^^^ the largest is 3.4e38
  |
help: remove the `f` for a `double`, or choose other units

error: `1e-60f` is too small for a `float`
 --> float_too_large.cu:4:15
  |
4 |     data[1] = 1e-60f;
  |               ^^^^^^ the smallest above 0 is 1.4e-45
  |
help: remove the `f` for a `double`, or choose other units

warning[conversion]: implicit conversion to `float` changes the value from 1e50 to infinity
 --> float_too_large.cu:5:15
  |
5 |     data[2] = 1e50;
  |               ^^^^
  |
help: use a type that can hold the value, or write a cast, `(float)`, if the change is intended

error: `1e400` is too large for a `double`
 --> float_too_large.cu:7:15
  |
7 |     wide[0] = 1e400;
  |               ^^^^^ the largest is 1.8e308
  |
help: write `INFINITY` if infinity is meant

warning[conversion]: implicit conversion to `int` changes the value from 3e9f to 2147483647
 --> float_too_large.cu:8:17
  |
8 |     int count = 3e9f;
  |                 ^^^^
  |
help: use a type that can hold the value, or write a cast, `(int)`, if the change is intended
