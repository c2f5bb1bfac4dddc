__global__ void big(long long *out)
{
    int million = 1000000 * 1000000;
    unsigned char small = 300;
    int big = 3000000000;
    out[0] = million + small + big;
}
// ANCHOR: warnings
warning[overflow]: 1000000000000 does not fit into 32 bits
 --> overflow_constant.cu:3:19
  |
3 |     int million = 1000000 * 1000000;
  |                   ^^^^^^^^^^^^^^^^^ the largest value is 2147483647
  |
help: write `ll` after one of the numbers: they are then computed in 64 bits

warning[conversion]: 300 does not fit into `unsigned char`
 --> overflow_constant.cu:4:27
  |
4 |     unsigned char small = 300;
  |                           ^^^ 44 is stored
  |
help: use a type that holds it, or write a cast, `(unsigned char)`, if the change is meant

warning[conversion]: 3000000000 does not fit into `int`
 --> overflow_constant.cu:5:15
  |
5 |     int big = 3000000000;
  |               ^^^^^^^^^^ -1294967296 is stored
  |
help: use a type that holds it, or write a cast, `(int)`, if the change is meant
