using namespace cooperative_groups;
__global__ void fill(float *a)
{
    thread_block block = this_thread_block();
    a[0] = laneId + warp_id;
    a[1] = blockSize * gridSize;
}
// ANCHOR: errors
error: unknown type name `thread_block`
 --> names_of_indices.cu:4:5
  |
4 |     thread_block block = this_thread_block();
  |     ^^^^^^^^^^^^
  |
help: write `#include <cooperative_groups.h>` at the beginning of the file

error: use of undeclared identifier `laneId`
 --> names_of_indices.cu:5:12
  |
5 |     a[0] = laneId + warp_id;
  |            ^^^^^^
  |
help: the lane of a thread is `threadIdx.x % warpSize`

error: use of undeclared identifier `warp_id`
 --> names_of_indices.cu:5:21
  |
5 |     a[0] = laneId + warp_id;
  |                     ^^^^^^^
  |
help: the warp of a thread is `threadIdx.x / warpSize`

error: use of undeclared identifier `blockSize`
 --> names_of_indices.cu:6:12
  |
6 |     a[1] = blockSize * gridSize;
  |            ^^^^^^^^^
  |
help: the number of threads in a block is `blockDim.x`

error: use of undeclared identifier `gridSize`
 --> names_of_indices.cu:6:24
  |
6 |     a[1] = blockSize * gridSize;
  |                        ^^^^^^^^
  |
help: the number of blocks in a grid is `gridDim.x`
