__global__ void k(float *a, int n)
{
    a[0] = (float n) / 2;
}
// ANCHOR: errors
error: expected an expression, found a type
 --> cast_like_python.cu:3:13
  |
3 |     a[0] = (float n) / 2;
  |             ^^^^^
  |
help: an argument is a value without its type; a conversion is written `(type)value` or `type(value)`
