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
error: `*` does not apply to `__half2` and `float`
 --> half_and_float.cu:6:29
  |
6 |     __half2 pair = pairs[i] * factor;
  |                             ^
  |
help: put the number into both parts: `__float2half2_rn(x)`

error: `float` cannot be converted to `__half2`
 --> half_and_float.cu:8:21
  |
8 |     __half2 other = factor;
  |                     ^^^^^^
  |
help: `__float2half2_rn(x)` puts it into both parts
