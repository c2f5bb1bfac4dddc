// Asynchronous copies to shared memory, by the thread that asks: CUDA C++ Programming Guide, "Pipeline Primitives Interface".
#pragma once
#include <cassert>
__device__ inline void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0)
{
    if (size == 16)
        __builtin_cp_async16(to, from, (unsigned)zeros);
    else if (size == 8)
        __builtin_cp_async8(to, from, (unsigned)zeros);
    else if (size == 4)
        __builtin_cp_async4(to, from, (unsigned)zeros);
    else {
        assert(size == 4 || size == 8 || size == 16);
        __trap(); // without assertions, too
    }
}
__device__ inline void __pipeline_commit() { __builtin_cp_async_commit(); }
__device__ inline void __pipeline_wait_prior(size_t n) { __builtin_cp_async_wait((unsigned)n); }
