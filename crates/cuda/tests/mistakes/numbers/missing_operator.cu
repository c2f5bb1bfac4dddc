__global__ void k(float *a)
{
    a[0] = 2 a[1];
}
// ANCHOR: errors
error: expected `;` after this expression, found `a`
 --> missing_operator.cu:3:13
  |
3 |     a[0] = 2 a[1];
  |             ^ write `;` here
