__global__ void scale(float16 *a, bfloat16 *b)
{
    a[threadIdx.x] = a[threadIdx.x];
}
// ANCHOR: errors
error: there is no type `float16`
 --> half_misspelt.cu:1:23
  |
1 | __global__ void scale(float16 *a, bfloat16 *b)
  |                       ^^^^^^^
  |
help: it is called `half` here: write `#include <cuda_fp16.h>` at the beginning of the file
