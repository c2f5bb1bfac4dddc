__global__ void area(float *a)
{
    float pi = 3,14159;
    a[threadIdx.x] *= pi;
}
// ANCHOR: errors
error: the comma ends the value of this variable, and a name must follow
 --> decimal_comma.cu:3:17
  |
3 |     float pi = 3,14159;
  |                 ^
  |
help: in a number write a point: `3.14`
