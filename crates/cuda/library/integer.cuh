// Integer intrinsics of several instructions.
__device__ inline int __ffs(int x) { return 32 - __clz(x & -x); }
__device__ inline int __ffsll(long long x) { return 64 - __clzll(x & -x); }
__device__ inline int __builtin_ffs(int x) { return __ffs(x); }
__device__ inline int __builtin_clz(unsigned x) { return __clz((int)x); }
__device__ inline int __builtin_ctz(unsigned x) { return __ffs((int)x) - 1; }
__device__ inline int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
__device__ inline int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
__device__ inline unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
__device__ inline unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
// Position of the n-th bit set in mask, counted from base (inclusive): upwards for n > 0, downwards for n < 0; for 0, base if it is set.
__device__ inline unsigned __fns(unsigned mask, unsigned base, int n)
{
    int step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;
    if (n == 0)
        return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --left == 0)
            return (unsigned)at;
    return 0xffffffffu;
}
// Of each selector only three bits count; the instruction would take the fourth for the sign's replication.
__device__ inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) { return __builtin_prmt(x, y, s & 0x7777); }
__device__ inline unsigned short __nv_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
__device__ inline unsigned __nv_bswap32(unsigned x) { return __builtin_prmt(x, 0u, 0x0123u); }
__device__ inline unsigned long long __nv_bswap64(unsigned long long x)
{
    return (unsigned long long)__nv_bswap32((unsigned)x) << 32 | __nv_bswap32((unsigned)(x >> 32));
}
