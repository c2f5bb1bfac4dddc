// A fraction that is lost in braces.
__global__ void index(int *o, float x)
{
    int cell{x * 8};
    int first[2] = {2.5, 0};
    o[threadIdx.x] = cell + first[threadIdx.x & 1];
}
// ANCHOR: warnings
warning[conversion]: in braces, a `float` becomes `int`, and other compilers of C++ refuse that
 --> fraction_in_braces.cu:4:14
  |
4 |     int cell{x * 8};
  |              ^^^^^ what is behind the point is cut off
  |
help: write a cast, `(int)`, if that is meant

warning[conversion]: 2.5 does not fit into `int`
 --> fraction_in_braces.cu:5:21
  |
5 |     int first[2] = {2.5, 0};
  |                     ^^^ 2 is stored
  |
help: use a type that holds it, or write a cast, `(int)`, if the change is meant
