__global__ void k(float *a, int n)
{
    for (i = 0; i < n; i++) a[i] = 0.0f;
}
// ANCHOR: errors
error: use of undeclared identifier `i`
 --> for_undeclared.cu:3:10
  |
3 |     for (i = 0; i < n; i++) a[i] = 0.0f;
  |          ^
  |
help: a new variable needs a type before its name, as in `int i = …;`
