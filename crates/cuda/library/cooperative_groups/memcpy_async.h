// Copies to shared memory by all threads of a group, which go on while they compute.
#pragma once
#include <cooperative_groups.h>
#include <cuda/aligned_size.h>
namespace cooperative_groups {
// Pieces of the type's alignment, at most 16 bytes; what is too small for cp.async is copied here and now.
template <typename Group> __device__ inline void __copy(const Group &group, void *to, const void *from, unsigned piece, size_t bytes)
{
    char *d = (char *)to;
    const char *s = (const char *)from;
    size_t rank = group.thread_rank(), threads = group.size(), done = piece < 4 ? 0 : bytes / piece * piece;
    for (size_t at = rank * piece; at < done; at += threads * piece) {
        if (piece == 16)
            __builtin_cp_async16(d + at, s + at, 0);
        else if (piece == 8)
            __builtin_cp_async8(d + at, s + at, 0);
        else
            __builtin_cp_async4(d + at, s + at, 0);
    }
    for (size_t at = done + rank; at < bytes; at += threads)
        d[at] = s[at];
    __builtin_cp_async_commit();
}
template <typename Group, typename T>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    __copy(group, to, from, alignof(T) > 16 ? 16 : (unsigned)alignof(T), bytes);
}
template <typename Group, typename T, size_t N>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from, const cuda::aligned_size_t<N> &bytes)
{
    __copy(group, to, from, N > 16 ? 16 : (unsigned)N, bytes.value);
}
template <typename Group> __device__ inline void wait(const Group &group)
{
    __builtin_cp_async_wait_all();
    group.sync();
}
template <unsigned N, typename Group> __device__ inline void wait_prior(const Group &group)
{
    __builtin_cp_async_wait(N);
    group.sync();
}
}
