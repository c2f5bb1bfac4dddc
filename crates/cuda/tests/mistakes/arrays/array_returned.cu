__device__ float[3] cross(float a[3], float b[3])
{
    float c[3];
    c[0] = a[1] * b[2] - a[2] * b[1];
    return c;
}
// ANCHOR: errors
error: expected a name, found `[`
 --> array_returned.cu:1:17
  |
1 | __device__ float[3] cross(float a[3], float b[3])
  |                 ^
  |
help: the brackets of an array come after its name; a function cannot return an array: let it fill one that a pointer parameter points to
