// Scopes and memory orders of libcu++.
#pragma once
namespace cuda {
enum thread_scope { thread_scope_system = 0, thread_scope_device = 1, thread_scope_block = 2, thread_scope_thread = 10 };
namespace std {
enum memory_order {
    memory_order_relaxed = 0,
    memory_order_consume = 1,
    memory_order_acquire = 2,
    memory_order_release = 3,
    memory_order_acq_rel = 4,
    memory_order_seq_cst = 5
};
}
using cuda::std::memory_order;
using cuda::std::memory_order_relaxed;
using cuda::std::memory_order_consume;
using cuda::std::memory_order_acquire;
using cuda::std::memory_order_release;
using cuda::std::memory_order_acq_rel;
using cuda::std::memory_order_seq_cst;
// As the compiler's functions number scopes: block 1, cluster 2, device 3, system 4.
__device__ constexpr int __scope_number(thread_scope s)
{
    return s == thread_scope_system ? 4 : s == thread_scope_device ? 3 : 1;
}
}
