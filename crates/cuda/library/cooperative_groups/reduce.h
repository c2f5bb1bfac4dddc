// Reductions of a tile or a coalesced group, of which every thread gets the result.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/operations.h>
namespace cooperative_groups {
template <unsigned Size, typename Parent, typename T, typename Op>
__device__ inline T reduce(const thread_block_tile<Size, Parent> &group, T v, Op op)
{
    for (unsigned lanes = Size / 2; lanes > 0; lanes /= 2)
        v = op(v, group.shfl_xor(v, lanes));
    return v;
}
template <typename T, typename Op> __device__ inline T reduce(const coalesced_group &group, T v, Op op)
{
    unsigned size = group.__size, rank = group.__rank;
    for (unsigned step = 1; step < size; step *= 2) {
        T other = group.shfl_down(v, step);
        if (rank % (2 * step) == 0 && rank + step < size)
            v = op(v, other);
    }
    return group.shfl(v, 0);
}
}
