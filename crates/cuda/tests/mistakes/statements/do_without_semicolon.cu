__global__ void k(float *a, int n)
{
    int i = 0;
    do { a[i] = 1.0f; i++; } while (i < n)
}
// ANCHOR: errors
error: expected `;` after `do … while (…)`
 --> do_without_semicolon.cu:4:43
  |
4 |     do { a[i] = 1.0f; i++; } while (i < n)
  |                                           ^ write `;` here
