#include "my_helpers.cuh"
#include <cub/cub.cuh>

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

error: header `cub/cub.cuh` is not available in this compiler
 --> unknown_header.cu:2:10
  |
2 | #include <cub/cub.cuh>
  |          ^^^^^^^^^^^^^
  |
help: write the loop over shared memory or shuffles yourself, or compile with `--compiler nvrtc`
