__global__ void scale(float *a, int n)
{
    for i in range(n):
        a[i] = 2
}
// ANCHOR: errors
error: expected `(` after `for`, found `i`
 --> range_of_python.cu:3:9
  |
3 |     for i in range(n):
  |         ^
  |
help: a counting loop is written `for (int i = 0; i < n; i++)`
