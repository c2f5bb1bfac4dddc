__device__ float twice(float x) { return 2 * x; }
__global__ void k(float *a)
{
    a[0] = twice(float a[1]);
}
// ANCHOR: errors
error: expected an expression, found a type
 --> type_in_call.cu:4:18
  |
4 |     a[0] = twice(float a[1]);
  |                  ^^^^^
  |
help: an argument is a value without its type; a conversion is written `(type)value` or `type(value)`
