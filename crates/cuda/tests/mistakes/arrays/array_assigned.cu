__global__ void copy(float *data)
{
    float a[4], b[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    a = b;
    float c[4] = b;
    float d[4] = data;
    data[0] = a[0] + c[0] + d[0];
}
// ANCHOR: errors
error: cannot assign to an array as a whole
 --> array_assigned.cu:4:5
  |
4 |     a = b;
  |     ^^^^^
  |
help: copy its elements in a loop

error: array initialiser must be a list in braces
 --> array_assigned.cu:5:18
  |
5 |     float c[4] = b;
  |                  ^
  |
help: write `{…}`, or copy the elements in a loop

error: array initialiser must be a list in braces
 --> array_assigned.cu:6:18
  |
6 |     float d[4] = data;
  |                  ^^^^
  |
help: write `{…}`, or copy the elements in a loop
