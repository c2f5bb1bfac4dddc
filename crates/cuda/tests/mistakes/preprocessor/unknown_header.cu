#include "my_helpers.cuh"
#include <curand_kernel.h>

__global__ void work(float *data)
{
    data[threadIdx.x] = helper(data[threadIdx.x]);
}
// ANCHOR: errors
error: there is no file `my_helpers.cuh`
 --> unknown_header.cu:1:10
  |
1 | #include "my_helpers.cuh"
  |          ^^^^^^^^^^^^^^^^ neither beside the source nor among the compiler's headers
  |
help: files are looked for in the folder of the file that names them

error: the header `curand_kernel.h` is not known to this compiler
 --> unknown_header.cu:2:10
  |
2 | #include <curand_kernel.h>
  |          ^^^^^^^^^^^^^^^^^
  |
help: write a small generator in the kernel (a linear congruential one is a line), or compile with `--compiler nvrtc`
