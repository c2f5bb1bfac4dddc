// Cooperative groups: tiles of 4 and 16 lanes with shuffles and reductions, coalesced groups in divergent code, a labelled
// partition, and a block as a group.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

extern "C" __global__ void tiles(const int *in, int *out, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    cg::thread_block_tile<4> four = cg::tiled_partition<4>(tile);
    int i = blockIdx.x * block.size() + block.thread_rank();
    int v = i < n ? in[i] : 0;
    int total = cg::reduce(tile, v, cg::plus<int>());
    int most = cg::reduce(four, v * 7 % 31, cg::greater<int>());
    int before = tile.shfl_up(v, 1), rotated = tile.shfl(v, (tile.thread_rank() + 5) % tile.size());
    unsigned odd = tile.ballot(v & 1);
    int prefix = cg::inclusive_scan(four, v);
    four.sync();
    int crossed = four.shfl_xor(v, 3);
    tile.sync();
    if (i < n) {
        int *mine = out + 8 * i;
        mine[0] = total;
        mine[1] = most;
        mine[2] = tile.thread_rank() ? before : -1;
        mine[3] = rotated;
        mine[4] = odd;
        mine[5] = prefix;
        mine[6] = crossed;
        mine[7] = tile.meta_group_rank() * 100 + four.meta_group_rank() * 10 + tile.any(v > 90);
    }
}

// Filters the multiples of 3 or 7: the lanes that are here reserve places with one atomic.
extern "C" __global__ void filter(const int *in, int *kept, int *count, int *lanes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (in[i] % 3 == 0 || in[i] % 7 == 0)) {
        cg::coalesced_group here = cg::coalesced_threads();
        int start = 0;
        if (here.thread_rank() == 0)
            start = atomicAdd(count, (int)here.size());
        start = here.shfl(start, 0);
        kept[start + here.thread_rank()] = 1; // places are taken in any order, so only how many is looked at
        lanes[i] = here.size() * 100 + here.thread_rank();
        auto alike = cg::labeled_partition(here, in[i] % 4);
        lanes[i] += 10000 * cg::reduce(alike, in[i], cg::plus<int>());
    }
}

extern "C" __global__ void whole_block(const int *in, int *out)
{
    __shared__ int sums[8];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int v = cg::reduce(warp, in[block.thread_rank()], cg::bit_xor<int>());
    if (warp.thread_rank() == 0)
        sums[warp.meta_group_rank()] = v;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int w = 1; w < warp.meta_group_size(); w++)
            v = v * 31 + sums[w];
        out[0] = v;
        dim3 size = block.group_dim();
        out[1] = size.x * size.y * size.z + block.group_index().x;
    }
    cg::invoke_one(block, [&] { out[2] = 5; });
}
