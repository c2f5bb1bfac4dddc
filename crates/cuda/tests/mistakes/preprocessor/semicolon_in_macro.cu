#define N 256;

__global__ void fill(int *data)
{
    if (threadIdx.x < N)
        data[threadIdx.x] = 1;
}
// ANCHOR: errors
warning[macro-semicolon]: the `;` is part of macro `N` and is inserted wherever the macro is used
 --> semicolon_in_macro.cu:1:14
  |
1 | #define N 256;
  |              ^
  |
help: write `#define N 256`

error: unexpected `;` from this macro
 --> semicolon_in_macro.cu:5:23
  |
5 |     if (threadIdx.x < N)
  |                       ^
  |
note: in the expansion of macro `N`
 --> semicolon_in_macro.cu:1:14
  |
1 | #define N 256;
  |              ^
help: remove the `;` at the end of its `#define`
