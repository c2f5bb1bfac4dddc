__global__ void scale(float16 *a, bfloat16 *b)
{
    a[threadIdx.x] = a[threadIdx.x];
}
// ANCHOR: errors
error: unknown type name `float16`
 --> half_misspelt.cu:1:23
  |
1 | __global__ void scale(float16 *a, bfloat16 *b)
  |                       ^^^^^^^
  |
help: CUDA calls it `half`: write `#include <cuda_fp16.h>` at the beginning of the file
