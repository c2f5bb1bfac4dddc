// Copies of 4, 8 or 16 bytes to shared memory that go on while the thread computes (cp.async, sm_80 and later), of which the last
// `zeros` are filled with zeros in place of being read; before sm_80, loads and stores.
__device__ inline void __builtin_cp_async4(void *to, const void *from, unsigned zeros)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(4 - zeros) : "memory");
#else
    *(unsigned *)to = zeros == 0 ? *(const unsigned *)from : zeros >= 4 ? 0u : *(const unsigned *)from & 0xffffffffu >> zeros * 8;
#endif
}
__device__ inline void __builtin_cp_async8(void *to, const void *from, unsigned zeros)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(8 - zeros) : "memory");
#else
    *(unsigned long long *)to = zeros == 0 ? *(const unsigned long long *)from
        : zeros >= 8 ? 0ull : *(const unsigned long long *)from & 0xffffffffffffffffull >> zeros * 8;
#endif
}
__device__ inline void __builtin_cp_async16(void *to, const void *from, unsigned zeros)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(16 - zeros) : "memory");
#else
    if (zeros == 0) {
        *(uint4 *)to = *(const uint4 *)from;
    } else {
        unsigned low = zeros > 8 ? zeros - 8 : 0, high = zeros > 8 ? 8 : zeros;
        __builtin_cp_async8(to, from, low);
        __builtin_cp_async8((char *)to + 8, (const char *)from + 8, high);
    }
#endif
}
__device__ inline void __builtin_cp_async_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
__device__ inline void __builtin_cp_async_wait_all()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
// All but the latest N groups; more than 8 are never open.
#if __CUDA_ARCH__ >= 800
#define WAIT(N)                                                                                                                 \
    case N: asm volatile("cp.async.wait_group " #N ";" ::: "memory"); break;
#else
#define WAIT(N)                                                                                                                 \
    case N: break;
#endif
__device__ inline void __builtin_cp_async_wait(unsigned n)
{
    switch (n) {
        WAIT(0)
        WAIT(1)
        WAIT(2)
        WAIT(3)
        WAIT(4)
        WAIT(5)
        WAIT(6)
        WAIT(7)
        default:
        WAIT(8)
    }
}
#undef WAIT
