extern __constant__ float taps[4];
__device__ float weight(int i);

__global__ void scale(float *p) { p[threadIdx.x] *= taps[threadIdx.x % 4] * weight(threadIdx.x); }
// ANCHOR: errors
error: `taps` is used, but not defined in this file
 --> variable_of_other_file.cu:1:27
  |
1 | extern __constant__ float taps[4];
  |                           ^^^^
  |
help: if another file defines it, include that file here, as in `#include "other.cu"`: kernels are compiled from one file, as by nvcc without `-rdc=true`

error: `weight` is called, but not defined in this file
 --> variable_of_other_file.cu:2:18
  |
2 | __device__ float weight(int i);
  |                  ^^^^^^
  |
help: if another file defines it, include that file here, as in `#include "other.cu"`: kernels are compiled from one file, as by nvcc without `-rdc=true`
