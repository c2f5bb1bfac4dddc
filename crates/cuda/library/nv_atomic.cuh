// Atomic functions with memory orders and scopes, as nvcc has them since CUDA 12.8.
enum {
    __NV_ATOMIC_RELAXED = 0,
    __NV_ATOMIC_CONSUME = 1,
    __NV_ATOMIC_ACQUIRE = 2,
    __NV_ATOMIC_RELEASE = 3,
    __NV_ATOMIC_ACQ_REL = 4,
    __NV_ATOMIC_SEQ_CST = 5,
    __NV_THREAD_SCOPE_THREAD = 0,
    __NV_THREAD_SCOPE_BLOCK = 1,
    __NV_THREAD_SCOPE_CLUSTER = 2,
    __NV_THREAD_SCOPE_DEVICE = 3,
    __NV_THREAD_SCOPE_SYSTEM = 4
};
template <typename T> struct __nv_atomic_value {
    typedef T type;
};
#define UPDATE(NAME, FUNCTION)                                                                                                  \
    template <typename T>                                                                                                       \
    __forceinline__ __device__ inline T __nv_atomic_fetch_##NAME(T *p, typename __nv_atomic_value<T>::type v, int order,               \
                                                          int scope = __NV_THREAD_SCOPE_SYSTEM)                                 \
    {                                                                                                                           \
        return FUNCTION(p, v, order, scope);                                                                                    \
    }                                                                                                                           \
    template <typename T>                                                                                                       \
    __forceinline__ __device__ inline void __nv_atomic_##NAME(T *p, typename __nv_atomic_value<T>::type v, int order,                  \
                                                       int scope = __NV_THREAD_SCOPE_SYSTEM)                                    \
    {                                                                                                                           \
        FUNCTION(p, v, order, scope);                                                                                           \
    }
UPDATE(add, __builtin_atomic_add)
UPDATE(sub, __builtin_atomic_sub)
UPDATE(min, __builtin_atomic_min)
UPDATE(max, __builtin_atomic_max)
UPDATE(and, __builtin_atomic_and)
UPDATE(or, __builtin_atomic_or)
UPDATE(xor, __builtin_atomic_xor)
#undef UPDATE
template <typename T> __forceinline__ __device__ inline T __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __builtin_load(p, order, scope);
}
template <typename T>
__forceinline__ __device__ inline void __nv_atomic_load(T *p, T *to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *to = __builtin_load(p, order, scope);
}
template <typename T>
__forceinline__ __device__ inline void __nv_atomic_store_n(T *p, typename __nv_atomic_value<T>::type v, int order,
                                                    int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __builtin_store(p, v, order, scope);
}
template <typename T>
__forceinline__ __device__ inline void __nv_atomic_store(T *p, T *from, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __builtin_store(p, *from, order, scope);
}
template <typename T>
__forceinline__ __device__ inline T __nv_atomic_exchange_n(T *p, typename __nv_atomic_value<T>::type v, int order,
                                                    int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __builtin_atomic_exchange(p, v, order, scope);
}
template <typename T>
__forceinline__ __device__ inline void __nv_atomic_exchange(T *p, T *from, T *to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *to = __builtin_atomic_exchange(p, *from, order, scope);
}
template <typename T>
__forceinline__ __device__ inline bool __nv_atomic_compare_exchange_n(T *p, T *expected, typename __nv_atomic_value<T>::type v, bool,
                                                               int order, int, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    T before = *expected, seen = __builtin_atomic_cas(p, before, v, order, scope);
    *expected = seen;
    return seen == before;
}
template <typename T>
__forceinline__ __device__ inline bool __nv_atomic_compare_exchange(T *p, T *expected, T *from, bool weak, int order, int failure,
                                                             int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __nv_atomic_compare_exchange_n(p, expected, *from, weak, order, failure, scope);
}
__forceinline__ __device__ inline void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __builtin_fence(order, scope);
}
