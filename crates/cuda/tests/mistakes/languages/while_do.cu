__global__ void k(float *a, int n)
{
    int i = 0;
    while (i < n) do { a[i] = 1.0f; i++; }
}
// ANCHOR: errors
error: unexpected `do` after `while (…)`
 --> while_do.cu:4:19
  |
4 |     while (i < n) do { a[i] = 1.0f; i++; }
  |                   ^^
  |
help: remove the `do`: C writes `while (…) { … }`, or `do { … } while (…);`
