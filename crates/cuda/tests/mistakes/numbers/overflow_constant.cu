__global__ void big(long long *out)
{
    int million = 1000000 * 1000000;
    unsigned char small = 300;
    int big = 3000000000;
    out[0] = million + small + big;
}
// ANCHOR: warnings
warning[overflow]: overflow in expression: 1000000000000 does not fit in 32 bits
 --> overflow_constant.cu:3:19
  |
3 |     int million = 1000000 * 1000000;
  |                   ^^^^^^^^^^^^^^^^^ the largest value is 2147483647
  |
help: write `ll` after one of the numbers to compute in 64 bits

warning[conversion]: implicit conversion to `unsigned char` changes the value from 300 to 44
 --> overflow_constant.cu:4:27
  |
4 |     unsigned char small = 300;
  |                           ^^^
  |
help: use a type that can hold the value, or write a cast, `(unsigned char)`, if the change is intended

warning[conversion]: implicit conversion to `int` changes the value from 3000000000 to -1294967296
 --> overflow_constant.cu:5:15
  |
5 |     int big = 3000000000;
  |               ^^^^^^^^^^
  |
help: use a type that can hold the value, or write a cast, `(int)`, if the change is intended
