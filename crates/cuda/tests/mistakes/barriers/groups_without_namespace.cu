#include <cooperative_groups.h>
__global__ void scale(float *a)
{
    cg::thread_block block = cg::this_thread_block();
    block.sync();
    auto tile = tiled_partition<32>(block);
    a[threadIdx.x] = tile.thread_rank();
}
// ANCHOR: errors
error: use of undeclared class or namespace `cg`
 --> groups_without_namespace.cu:4:5
  |
4 |     cg::thread_block block = cg::this_thread_block();
  |     ^^^^^^^^^^^^^^^^
  |
help: write `namespace cg = cooperative_groups;` after the includes

error: use of undeclared identifier `tiled_partition`
 --> groups_without_namespace.cu:6:17
  |
6 |     auto tile = tiled_partition<32>(block);
  |                 ^^^^^^^^^^^^^^^^^^^
  |
help: it is in the namespace `cooperative_groups`: write `namespace cg = cooperative_groups;`, and `cg::` before it
