// Cache operators, eviction priorities, cache policies, prefetches, discards, and other words that change when and not what.
#include <cuda/annotated_ptr>
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
__device__ unsigned table[1024];
extern "C" __global__ void loads(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, k = 0;
    table[i] = hash(i); table[i + 512] = i; __syncthreads();
    const unsigned *p = table + i; auto put = [&](unsigned v) { out[k++ * n + i] = v; };
    put(__ldg((const unsigned *)out) * 0 + __ldca(p)); put(__ldcg(p)); put(__ldcs(p)); put(__ldlu(p)); put(__ldcv(p)); __stwb(table + i, hash(i) + 1); put(__ldcv(p)); __stcg(table + i, 5u); put(*(volatile unsigned *)p); __stcs(table + i, 6u); __stwt(table + i, hash(i));
    uint4 v = __ldcg((const uint4 *)(table + (i & ~3u))); put(v.x ^ v.w); double d = __ldcs((const double *)(table + (i & ~1u))); put(__double2loint(d)); put(__ldcg((const unsigned char *)p)); put(__ldcs((const short *)p));
    unsigned a, b; unsigned long long q = (unsigned long long)__cvta_generic_to_global(p);
    asm volatile("prefetch.global.L2 [%0];" :: "l"(q)); asm volatile("prefetch.global.L2::evict_last [%0];" :: "l"(q)); asm volatile("prefetchu.L1 [%0];" :: "l"(p)); asm volatile("applypriority.global.L2::evict_normal [%0], 128;" :: "l"(q & ~127ull));
    asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(a) : "l"(q)); put(a); asm volatile("ld.global.L1::evict_last.L2::128B.u32 %0, [%1];" : "=r"(a) : "l"(q)); put(a);
    asm volatile("ld.relaxed.gpu.global.L1::evict_first.u32 %0, [%1];" : "=r"(a) : "l"(q)); put(a); asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(a) : "l"(q)); put(a); asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(q), "r"(a + 1)); asm volatile("ld.weak.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(q)); put(a);
    asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(q & ~7ull)); put(a * 0 + b * 0); asm volatile("st.global.L1::evict_unchanged.u32 [%0], %1;" :: "l"(q), "r"(3)); asm volatile("ld.mmio.relaxed.sys.global.u32 %0, [%1];" : "=r"(a) : "l"(q)); put(a);
    __nanosleep(20); __prof_trigger(1); asm volatile("pmevent.mask 0x3;"); asm volatile("membar.cta; membar.gl; membar.sys; fence.sc.cta; fence.acq_rel.sys; fence.sc.gpu;"); 
    __builtin_assume(i < 4096); put(__builtin_expect(i, 1)); put(__isGlobal(p) + 2 * __isShared(p) + 4 * __isConstant(p) + 8 * __isLocal(&a)); if (i > 1u << 20) __builtin_unreachable();
}
extern "C" __global__ void policies(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, k = 0, a, b; table[i] = hash(i); table[i + 256] = 1; 
    unsigned long long q = (unsigned long long)__cvta_generic_to_global(table + i), l, f, r, h; auto put = [&](unsigned v) { out[k++ * n + i] = v; };
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(l)); asm volatile("createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(f)); asm volatile("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %0, [%1], 256, 1024;" : "=l"(r) : "l"(q)); asm volatile("createpolicy.cvt.L2.b64 %0, %1;" : "=l"(h) : "l"(0x14F0000000000000ull));
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(a) : "l"(q), "l"(l)); put(a); asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" :: "l"(q), "r"(a + 1), "l"(f)); asm volatile("ld.global.L1::no_allocate.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;" : "=r"(a), "=r"(b) : "l"(q & ~7ull), "l"(r)); put(i & 1 ? b : a);
    asm volatile("atom.global.add.L2::cache_hint.u32 %0, [%1], %2, %3;" : "=r"(a) : "l"(q), "r"(5), "l"(l)); put(a); asm volatile("red.global.max.L2::cache_hint.u32 [%0], %1, %2;" :: "l"(q), "r"(1000), "l"(l)); put(7);
    __shared__ alignas(16) unsigned s[64 * 4]; unsigned sa = __cvta_generic_to_shared(s + threadIdx.x); asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 4, %2; cp.async.commit_group; cp.async.wait_group 0;" :: "r"(sa), "l"(q), "l"(l)); asm volatile("cp.async.wait_all;"); put(s[threadIdx.x]);
    cuda::annotated_ptr<unsigned, cuda::access_property::persisting> ap(table + i); put(*ap); cuda::annotated_ptr<unsigned, cuda::access_property::streaming> as(table + i); *as = 9; put(table[i]); cuda::apply_access_property(table, 1024, cuda::access_property::persisting{}); 
}
