#include <cuda_fp16.h>

__global__ void scale(__half2 *pairs, const half *numbers, float factor)
{
    int i = threadIdx.x;
    __half2 pair = pairs[i] * factor;
    pair = numbers[i];
    __half2 other = factor;
    pairs[i] = pair + other;
}
// ANCHOR: errors
error: invalid operands of `*`: `__half2` and `float`
 --> half_and_float.cu:6:29
  |
6 |     __half2 pair = pairs[i] * factor;
  |                             ^
  |
help: copy the number to both halves: `__float2half2_rn(x)`

error: cannot convert `float` to `__half2`
 --> half_and_float.cu:8:21
  |
8 |     __half2 other = factor;
  |                     ^^^^^^
  |
help: `__float2half2_rn(x)` copies it to both halves
