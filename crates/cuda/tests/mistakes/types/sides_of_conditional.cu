// One of two pointers of different types.
__global__ void choose(int *a, float *b, int n)
{
    a[0] = *(n > 3 ? a : b);
}
// ANCHOR: errors
error: incompatible operand types of `?:`: `int *` and `float *`
 --> sides_of_conditional.cu:4:14
  |
4 |     a[0] = *(n > 3 ? a : b);
  |              ^^^^^^^^^^^^^
  |
help: cast one of them
