using namespace cooperative_groups;
__global__ void fill(float *a)
{
    thread_block block = this_thread_block();
    a[0] = laneId + warp_id;
    a[1] = blockSize * gridSize;
}
// ANCHOR: errors
error: there is no type `thread_block`
 --> names_of_indices.cu:4:5
  |
4 |     thread_block block = this_thread_block();
  |     ^^^^^^^^^^^^
  |
help: write `#include <cooperative_groups.h>` at the beginning of the file

error: nothing is called `laneId`
 --> names_of_indices.cu:5:12
  |
5 |     a[0] = laneId + warp_id;
  |            ^^^^^^
  |
help: the lane of a thread is `threadIdx.x % warpSize`

error: nothing is called `warp_id`
 --> names_of_indices.cu:5:21
  |
5 |     a[0] = laneId + warp_id;
  |                     ^^^^^^^
  |
help: the warp of a thread is `threadIdx.x / warpSize`

error: nothing is called `blockSize`
 --> names_of_indices.cu:6:12
  |
6 |     a[1] = blockSize * gridSize;
  |            ^^^^^^^^^
  |
help: the threads of a block are `blockDim.x`

error: nothing is called `gridSize`
 --> names_of_indices.cu:6:24
  |
6 |     a[1] = blockSize * gridSize;
  |                        ^^^^^^^^
  |
help: the blocks of a grid are `gridDim.x`
