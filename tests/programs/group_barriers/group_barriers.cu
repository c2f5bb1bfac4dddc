// Groups of several warps: tiles of 64 threads meet and add up by themselves, through shared memory that the system keeps for
// cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

extern "C" __global__ void tiles(const int *in, int *out, int rounds)
{
    __shared__ int row[3][64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<64>(block);
    int which = tile.meta_group_rank(), t = tile.thread_rank();
    int v = in[block.thread_rank()];
    // Tiles go round their loops as often as each of them likes.
    for (int r = 0; r < rounds + which; r++) {
        row[which][t] = v;
        tile.sync();
        v = v * 2 + row[which][(t + 37 + r) % 64];
        tile.sync();
    }
    int sum = cg::reduce(tile, v, cg::plus<int>());
    int most = cg::reduce(tile, v ^ t, cg::greater<int>());
    out[block.thread_rank() * 2] = sum + v;
    out[block.thread_rank() * 2 + 1] = most;
}
