include <cuda_runtime.h>
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1;
}
// ANCHOR: errors
error: a directive begins with `#`
 --> include_without_hash.cu:1:1
  |
1 | include <cuda_runtime.h>
  | ^^^^^^^
  |
help: write `#include …`
