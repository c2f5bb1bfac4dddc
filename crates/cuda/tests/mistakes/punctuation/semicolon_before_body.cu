__global__ void k(float *a, int n);
{
    a[0] = n;
}
// ANCHOR: errors
error: this `;` ends the function before its body
 --> semicolon_before_body.cu:1:35
  |
1 | __global__ void k(float *a, int n);
  |                                   ^
  |
help: remove the `;`
