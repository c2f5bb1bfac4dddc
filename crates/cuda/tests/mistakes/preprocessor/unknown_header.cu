#include "my_helpers.cuh"
#include <curand_kernel.h>

__global__ void work(float *data)
{
    data[threadIdx.x] = helper(data[threadIdx.x]);
}
// ANCHOR: errors
error: file `my_helpers.cuh` not found
 --> unknown_header.cu:1:10
  |
1 | #include "my_helpers.cuh"
  |          ^^^^^^^^^^^^^^^^ neither in the folder of the source nor among the compiler's headers
  |
help: files are searched for in the folder of the file that includes them

error: header `curand_kernel.h` is not available in this compiler
 --> unknown_header.cu:2:10
  |
2 | #include <curand_kernel.h>
  |          ^^^^^^^^^^^^^^^^^
  |
help: write a small generator in the kernel (a linear congruential one takes a line), or compile with `--compiler nvrtc`
