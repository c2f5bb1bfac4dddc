__global__ void convert(half *out, const float *in)
{
    out[threadIdx.x] = __float2half(in[threadIdx.x]);
}
// ANCHOR: errors
error: unknown type name `half`
 --> include_missing.cu:1:25
  |
1 | __global__ void convert(half *out, const float *in)
  |                         ^^^^
  |
help: write `#include <cuda_fp16.h>` at the beginning of the file
