__global__ void area(float *a)
{
    float pi = 3,14159;
    a[threadIdx.x] *= pi;
}
// ANCHOR: errors
error: expected a name after this comma, which ends the initialiser
 --> decimal_comma.cu:3:17
  |
3 |     float pi = 3,14159;
  |                 ^
  |
help: the decimal separator is a point: `3.14`
