#include <cuda_fp16.h>

__global__ void scale(__half2 *pairs, const half *numbers, float factor)
{
    int i = threadIdx.x;
    __half2 pair = pairs[i] * factor;
    pair = numbers[i];
    __half2 other = factor;
    pairs[i] = pair + other;
}
