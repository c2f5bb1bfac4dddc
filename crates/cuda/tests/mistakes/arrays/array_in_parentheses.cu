__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a(3);
    a[0] = 1;
    out[i] = a[0];
}
// ANCHOR: errors
error: subscripted value of type `float` is not an array or pointer
 --> array_in_parentheses.cu:5:5
  |
5 |     a[0] = 1;
  |     ^^^^
  |
help: an array is declared with its length in brackets: `float a[…]`

error: subscripted value of type `float` is not an array or pointer
 --> array_in_parentheses.cu:6:14
  |
6 |     out[i] = a[0];
  |              ^^^^
  |
help: an array is declared with its length in brackets: `float a[…]`
