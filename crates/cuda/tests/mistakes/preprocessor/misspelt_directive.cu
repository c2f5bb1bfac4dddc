#inlcude <cstdio>
#include <cuda_fp16>
#define N 256;

__global__ void fill(int *data)
{
    if (threadIdx.x < N)
        data[threadIdx.x] = 1;
}
// ANCHOR: errors
error: invalid preprocessing directive `#inlcude`
 --> misspelt_directive.cu:1:1
  |
1 | #inlcude <cstdio>
  | ^^^^^^^^
  |
help: did you mean `#include`?

error: file `cuda_fp16` not found
 --> misspelt_directive.cu:2:10
  |
2 | #include <cuda_fp16>
  |          ^^^^^^^^^^^ neither in the folder of the source nor among the compiler's headers
  |
help: did you mean `<cuda_fp16.h>`?

warning[macro-semicolon]: the `;` is part of macro `N` and is inserted wherever the macro is used
 --> misspelt_directive.cu:3:14
  |
3 | #define N 256;
  |              ^
  |
help: write `#define N 256`
