// Prefix sums and the like of a tile or a coalesced group.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/operations.h>
namespace cooperative_groups {
template <typename Group, typename T, typename Op> __device__ inline T inclusive_scan(const Group &group, T v, Op op)
{
    unsigned rank = (unsigned)group.thread_rank(), size = (unsigned)group.size();
    for (unsigned step = 1; step < size; step *= 2) {
        T before = group.shfl_up(v, step);
        if (rank >= step)
            v = op(before, v);
    }
    return v;
}
template <typename Group, typename T> __device__ inline T inclusive_scan(const Group &group, T v)
{
    return inclusive_scan(group, v, plus<T>());
}
// The first thread gets T(), as CUDA's does.
template <typename Group, typename T, typename Op> __device__ inline T exclusive_scan(const Group &group, T v, Op op)
{
    T before = group.shfl_up(inclusive_scan(group, v, op), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <typename Group, typename T> __device__ inline T exclusive_scan(const Group &group, T v)
{
    return exclusive_scan(group, v, plus<T>());
}
}
