#define N = 256
__global__ void fill(float *a)
{
    if (threadIdx.x < N)
        a[threadIdx.x] = 0;
}
// ANCHOR: errors
warning[macro-equals]: the `=` is part of macro `N` and is inserted wherever the macro is used
 --> define_with_equals.cu:1:11
  |
1 | #define N = 256
  |           ^
  |
help: write `#define N 256`

error: expected an expression, found `=`
 --> define_with_equals.cu:4:23
  |
4 |     if (threadIdx.x < N)
  |                       ^ a value is missing here
  |
note: in the expansion of macro `N`
 --> define_with_equals.cu:1:11
  |
1 | #define N = 256
  |           ^
