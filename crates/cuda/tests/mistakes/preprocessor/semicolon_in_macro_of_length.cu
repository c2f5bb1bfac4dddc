#define N 16;
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[N];
    a[0] = x[i];
    out[i] = a[0] * N + 1;
}
// ANCHOR: errors
warning[macro-semicolon]: the `;` is part of macro `N` and is inserted wherever the macro is used
 --> semicolon_in_macro_of_length.cu:1:13
  |
1 | #define N 16;
  |             ^
  |
help: write `#define N 16`

error: unexpected `;` from this macro
 --> semicolon_in_macro_of_length.cu:5:13
  |
5 |     float a[N];
  |             ^
  |
note: in the expansion of macro `N`
 --> semicolon_in_macro_of_length.cu:1:13
  |
1 | #define N 16;
  |             ^
help: remove the `;` at the end of its `#define`
