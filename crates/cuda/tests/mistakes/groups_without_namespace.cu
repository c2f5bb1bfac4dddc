#include <cooperative_groups.h>
__global__ void scale(float *a)
{
    cg::thread_block block = cg::this_thread_block();
    block.sync();
    auto tile = tiled_partition<32>(block);
    a[threadIdx.x] = tile.thread_rank();
}
