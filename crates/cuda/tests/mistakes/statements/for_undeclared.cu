__global__ void k(float *a, int n)
{
    for (i = 0; i < n; i++) a[i] = 0.0f;
}
// ANCHOR: errors
error: nothing is called `i`
 --> for_undeclared.cu:3:10
  |
3 |     for (i = 0; i < n; i++) a[i] = 0.0f;
  |          ^
  |
help: a new variable has its type before its name, as in `int i = …;`
