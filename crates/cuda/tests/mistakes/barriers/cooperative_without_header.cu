namespace cg = cooperative_groups;

__global__ void sync(float *data)
{
    cg::thread_block block = cg::this_thread_block();
    block.sync();
    data[threadIdx.x] = 0.0f;
}
// ANCHOR: errors
error: no namespace named `cooperative_groups`
 --> cooperative_without_header.cu:1:16
  |
1 | namespace cg = cooperative_groups;
  |                ^^^^^^^^^^^^^^^^^^
  |
help: write `#include <cooperative_groups.h>` at the beginning of the file
