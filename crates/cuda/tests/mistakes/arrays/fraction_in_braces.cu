// A fraction that is lost in braces.
__global__ void index(int *o, float x)
{
    int cell{x * 8};
    int first[2] = {2.5, 0};
    o[threadIdx.x] = cell + first[threadIdx.x & 1];
}
// ANCHOR: warnings
warning[conversion]: narrowing conversion from `float` to `int` in braces, which other compilers reject
 --> fraction_in_braces.cu:4:14
  |
4 |     int cell{x * 8};
  |              ^^^^^ the fraction is discarded
  |
help: write a cast, `(int)`, if that is intended

warning[conversion]: implicit conversion to `int` changes the value from 2.5 to 2
 --> fraction_in_braces.cu:5:21
  |
5 |     int first[2] = {2.5, 0};
  |                     ^^^
  |
help: use a type that can hold the value, or write a cast, `(int)`, if the change is intended
