__global__ void k(float *a, int n)
{
    bool done = False;
    if (!done) a[0] = 1.0f;
}
// ANCHOR: errors
error: use of undeclared identifier `False`
 --> bool_upper.cu:3:17
  |
3 |     bool done = False;
  |                 ^^^^^
  |
help: C++ writes `false`
