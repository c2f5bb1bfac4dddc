// Warps that each make one memory access of a chosen kind, for a profiler to count, and the program that launches them.
//
// Lane i of a block touches the byte at its offset, or nothing where that is negative. Around it, every kernel loads its
// offsets and stores its result, both coalesced: a load of 1 request and 4 sectors and a store of the same.
//
//     accesses FILE SECONDS [BYTES]
//
// performs the launches of FILE (32-bit integers: kernel, blocks, then 32 offsets a block) until the time is up, and says
// how many; offsets into global memory are below BYTES, a power of two (2^20). `accesses --list` prints the kernels' names
// in order. scripts/truth writes the file and reads the counts.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned short u16;

__constant__ __align__(16) u32 table[16384];

// `p` is the lane's place in global memory, `s` in shared memory (an address in the shared window), `o` the offset.
#define KERNEL(name, body)                                                             \
    __global__ void name(const int *offs, char *buf, u32 *out) {                       \
        u32 lane = threadIdx.x, at = blockIdx.x * 32 + lane, r = 0;                    \
        int o = offs[at];                                                              \
        if (o >= 0) { [[maybe_unused]] char *p = buf + o; body }                             \
        out[at] = r;                                                                   \
    }
#define SHARED_KERNEL(name, ...) SHARED_KERNEL_AFTER(name, , __VA_ARGS__)
// Atomics find zeros, so that those that ptxas makes of a compare-and-swap loop take a certain number of rounds.
#define SHARED_ATOMIC(name, ...)                                                       \
    SHARED_KERNEL_AFTER(name, _Pragma("unroll 1") for (u32 i = lane; i < 8192; i += 32) words[i] = 0; __syncwarp();, __VA_ARGS__)
#define SHARED_KERNEL_AFTER(name, first, ...)                                          \
    __global__ void name(const int *offs, char *buf, u32 *out) {                       \
        __shared__ __align__(16) u32 words[8192];                                      \
        u32 lane = threadIdx.x, at = blockIdx.x * 32 + lane, r = 0;                    \
        first                                                                          \
        int o = offs[at];                                                              \
        u32 s = (u32)__cvta_generic_to_shared(words) + o;                              \
        if (o >= 0) { __VA_ARGS__ }                                                           \
        out[at] = r;                                                                   \
    }
// Global, shared and local memory through generic addresses: offsets from 2^24 on are shared, from 2^25 on local.
#define GENERIC_KERNEL(name, body)                                                     \
    __global__ void name(const int *offs, char *buf, u32 *out) {                       \
        __shared__ __align__(16) u32 words[8192];                                      \
        u32 mine[64];                                                                  \
        u32 lane = threadIdx.x, at = blockIdx.x * 32 + lane, r = 0;                    \
        int o = offs[at];                                                              \
        asm volatile("" :: "l"(mine) : "memory");                                      \
        if (o >= 0) {                                                                  \
            char *p = o < 1 << 24 ? buf + o                                            \
                    : o < 1 << 25 ? (char *)words + (o - (1 << 24))                    \
                                  : (char *)mine + (o - (1 << 25));                    \
            body                                                                       \
        }                                                                              \
        out[at] = r;                                                                   \
    }

#define V2 u32 a = 0, b = 0;
#define V4 u32 a = 0, b = 0, c = 0, d = 0;

#define LD1(suffix) asm volatile("ld." suffix " %0, [%1];" : "=r"(r) : "l"(p) : "memory");
#define LD2(suffix) V2 asm volatile("ld." suffix " {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(p) : "memory"); r = a ^ b;
#define LD4(suffix) V4 asm volatile("ld." suffix " {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p) : "memory"); r = a ^ b ^ c ^ d;
#define ST1(suffix) asm volatile("st." suffix " [%0], %1;" :: "l"(p), "r"(lane) : "memory");
#define ST2(suffix) asm volatile("st." suffix " [%0], {%1,%1};" :: "l"(p), "r"(lane) : "memory");
#define ST4(suffix) asm volatile("st." suffix " [%0], {%1,%1,%1,%1};" :: "l"(p), "r"(lane) : "memory");
KERNEL(ld_global_8, LD1("global.u8"))
KERNEL(ld_global_16, LD1("global.u16"))
KERNEL(ld_global_32, LD1("global.u32"))
KERNEL(ld_global_64, LD2("global.v2.u32"))
KERNEL(ld_global_128, LD4("global.v4.u32"))
KERNEL(ld_global_nc_8, LD1("global.nc.u8"))
KERNEL(ld_global_nc_16, LD1("global.nc.u16"))
KERNEL(ld_global_nc_32, LD1("global.nc.u32"))
KERNEL(ld_global_nc_64, LD2("global.nc.v2.u32"))
KERNEL(ld_global_nc_128, LD4("global.nc.v4.u32"))
KERNEL(ld_global_volatile_32, LD1("volatile.global.u32"))
KERNEL(ld_global_relaxed_32, LD1("relaxed.gpu.global.u32"))
KERNEL(ld_global_acquire_32, LD1("acquire.gpu.global.u32"))
KERNEL(ld_global_cg_32, LD1("global.cg.u32"))
KERNEL(ld_global_cs_32, LD1("global.cs.u32"))
KERNEL(ld_global_lu_32, LD1("global.lu.u32"))
KERNEL(ld_global_cv_32, LD1("global.cv.u32"))
KERNEL(st_global_8, ST1("global.u8"))
KERNEL(st_global_16, asm volatile("st.global.u16 [%0], %1;" :: "l"(p), "h"((u16)lane) : "memory");)
KERNEL(st_global_32, ST1("global.u32"))
KERNEL(st_global_64, ST2("global.v2.u32"))
KERNEL(st_global_128, ST4("global.v4.u32"))
KERNEL(st_global_volatile_32, ST1("volatile.global.u32"))
KERNEL(st_global_release_32, ST1("release.gpu.global.u32"))
KERNEL(st_global_cg_32, ST1("global.cg.u32"))
KERNEL(st_global_cs_32, ST1("global.cs.u32"))
KERNEL(st_global_wt_32, ST1("global.wt.u32"))

GENERIC_KERNEL(ld_generic_8, LD1("u8"))
GENERIC_KERNEL(ld_generic_32, LD1("u32"))
GENERIC_KERNEL(ld_generic_64, LD2("v2.u32"))
GENERIC_KERNEL(ld_generic_128, LD4("v4.u32"))
GENERIC_KERNEL(st_generic_32, ST1("u32"))
GENERIC_KERNEL(st_generic_128, ST4("v4.u32"))
GENERIC_KERNEL(red_generic_add_u32, asm volatile("red.add.u32 [%0], %1;" :: "l"(p), "r"(lane) : "memory");)
GENERIC_KERNEL(atom_generic_add_u32, asm volatile("atom.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(lane) : "memory");)

#define RED(suffix, constraint, value) asm volatile("red.global." suffix " [%0], %1;" :: "l"(p), constraint(value) : "memory");
KERNEL(red_global_add_u32, RED("add.u32", "r", lane))
KERNEL(red_global_min_u32, RED("min.u32", "r", lane))
KERNEL(red_global_max_s32, RED("max.s32", "r", lane))
KERNEL(red_global_and_b32, RED("and.b32", "r", lane))
KERNEL(red_global_xor_b32, RED("xor.b32", "r", lane))
KERNEL(red_global_inc_u32, RED("inc.u32", "r", lane))
KERNEL(red_global_add_u64, RED("add.u64", "l", (u64)lane))
KERNEL(red_global_min_u64, RED("min.u64", "l", (u64)lane))
KERNEL(red_global_or_b64, RED("or.b64", "l", (u64)lane))
KERNEL(red_global_add_f32, RED("add.f32", "f", (float)lane))
KERNEL(red_global_add_f64, RED("add.f64", "d", (double)lane))
KERNEL(red_global_add_f16x2, RED("add.noftz.f16x2", "r", lane))
KERNEL(red_global_add_bf16x2, RED("add.noftz.bf16x2", "r", lane))

#define ATOM32(suffix) asm volatile("atom.global." suffix " %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(lane) : "memory");
#define ATOM64(suffix) u64 x; asm volatile("atom.global." suffix " %0, [%1], %2;" : "=l"(x) : "l"(p), "l"((u64)lane) : "memory"); r = (u32)x;
KERNEL(atom_global_add_u32, ATOM32("add.u32"))
KERNEL(atom_global_min_u32, ATOM32("min.u32"))
KERNEL(atom_global_max_s32, ATOM32("max.s32"))
KERNEL(atom_global_and_b32, ATOM32("and.b32"))
KERNEL(atom_global_inc_u32, ATOM32("inc.u32"))
KERNEL(atom_global_exch_b32, ATOM32("exch.b32"))
KERNEL(atom_global_cas_b32, asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(0), "r"(lane) : "memory");)
KERNEL(atom_global_add_u64, ATOM64("add.u64"))
KERNEL(atom_global_min_u64, ATOM64("min.u64"))
KERNEL(atom_global_exch_b64, ATOM64("exch.b64"))
KERNEL(atom_global_cas_b64, u64 x; asm volatile("atom.global.cas.b64 %0, [%1], %2, %3;" : "=l"(x) : "l"(p), "l"(0ull), "l"((u64)lane) : "memory"); r = (u32)x;)
KERNEL(atom_global_exch_b128, u64 x; u64 y; asm volatile("{.reg .b128 d, v; mov.b128 v, {%3, %3}; atom.global.exch.b128 d, [%2], v; mov.b128 {%0, %1}, d;}" : "=l"(x), "=l"(y) : "l"(p), "l"((u64)lane) : "memory"); r = (u32)(x ^ y);)
KERNEL(atom_global_cas_b128, u64 x; u64 y; asm volatile("{.reg .b128 d, v; mov.b128 v, {%3, %3}; atom.global.cas.b128 d, [%2], v, v; mov.b128 {%0, %1}, d;}" : "=l"(x), "=l"(y) : "l"(p), "l"((u64)lane) : "memory"); r = (u32)(x ^ y);)
KERNEL(atom_global_cas_b16, u16 x; asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;" : "=h"(x) : "l"(p), "h"((u16)0), "h"((u16)lane) : "memory"); r = x;)
KERNEL(atom_global_add_f32, float x; asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(x) : "l"(p), "f"((float)lane) : "memory"); r = (u32)x;)
KERNEL(atom_global_add_f64, double x; asm volatile("atom.global.add.f64 %0, [%1], %2;" : "=d"(x) : "l"(p), "d"((double)lane) : "memory"); r = (u32)x;)
KERNEL(atom_global_add_f16, u16 x; asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;" : "=h"(x) : "l"(p), "h"((u16)lane) : "memory"); r = x;)
KERNEL(atom_global_add_f16x2, ATOM32("add.noftz.f16x2"))

#define SLD1(suffix) asm volatile("ld." suffix " %0, [%1];" : "=r"(r) : "r"(s) : "memory");
SHARED_KERNEL(ld_shared_8, SLD1("shared.u8"))
SHARED_KERNEL(ld_shared_16, SLD1("shared.u16"))
SHARED_KERNEL(ld_shared_32, SLD1("shared.u32"))
SHARED_KERNEL(ld_shared_64, V2 asm volatile("ld.shared.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(s) : "memory"); r = a ^ b;)
SHARED_KERNEL(ld_shared_128, V4 asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s) : "memory"); r = a ^ b ^ c ^ d;)
SHARED_KERNEL(st_shared_8, asm volatile("st.shared.u8 [%0], %1;" :: "r"(s), "r"(lane) : "memory");)
SHARED_KERNEL(st_shared_16, asm volatile("st.shared.u16 [%0], %1;" :: "r"(s), "h"((u16)lane) : "memory");)
SHARED_KERNEL(st_shared_32, asm volatile("st.shared.u32 [%0], %1;" :: "r"(s), "r"(lane) : "memory");)
SHARED_KERNEL(st_shared_64, asm volatile("st.shared.v2.u32 [%0], {%1,%1};" :: "r"(s), "r"(lane) : "memory");)
SHARED_KERNEL(st_shared_128, asm volatile("st.shared.v4.u32 [%0], {%1,%1,%1,%1};" :: "r"(s), "r"(lane) : "memory");)
SHARED_KERNEL(ldmatrix_1, asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(s) : "memory");)
SHARED_KERNEL(ldmatrix_2, V2 asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(s) : "memory"); r = a ^ b;)
SHARED_KERNEL(ldmatrix_4, V4 asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s) : "memory"); r = a ^ b ^ c ^ d;)

// cp.async: the low 15 bits of an offset are the place in shared memory, those above it the place in global memory.
#define COPY_KERNEL(name, how, size, ...)                                              \
    __global__ void name(const int *offs, char *buf, u32 *out) {                       \
        __shared__ __align__(16) u32 words[8192];                                      \
        u32 lane = threadIdx.x, at = blockIdx.x * 32 + lane;                           \
        int o = offs[at];                                                              \
        u32 s = (u32)__cvta_generic_to_shared(words) + (o & 32767);                    \
        [[maybe_unused]] u32 size_of = lane % 2 * size;                                \
        if (o >= 0) asm volatile("cp.async." how ".shared.global [%0], [%1], " #size __VA_ARGS__ ";" :: "r"(s), "l"(buf + (o >> 15)), "r"(size_of) : "memory"); \
        asm volatile("cp.async.wait_all;" ::: "memory");                               \
        out[at] = lane;                                                                \
    }
COPY_KERNEL(cp_async_ca_32, "ca", 4)
COPY_KERNEL(cp_async_ca_64, "ca", 8)
COPY_KERNEL(cp_async_ca_128, "ca", 16)
COPY_KERNEL(cp_async_cg_128, "cg", 16)
// Lanes with even numbers copy nothing but zeros.
COPY_KERNEL(cp_async_ca_half_32, "ca", 4, ", %2")
COPY_KERNEL(cp_async_cg_half_128, "cg", 16, ", %2")

#define SATOM32(suffix) asm volatile("atom.shared." suffix " %0, [%1], %2;" : "=r"(r) : "r"(s), "r"(lane + 1) : "memory");
#define SATOM64(suffix) u64 x; asm volatile("atom.shared." suffix " %0, [%1], %2;" : "=l"(x) : "r"(s), "l"((u64)lane + 1) : "memory"); r = (u32)x;
#define SRED(suffix, constraint, value) asm volatile("red.shared." suffix " [%0], %1;" :: "r"(s), constraint(value) : "memory");
SHARED_ATOMIC(atom_shared_add_u32, SATOM32("add.u32"))
SHARED_ATOMIC(atom_shared_min_u32, SATOM32("min.u32"))
SHARED_ATOMIC(atom_shared_max_s32, SATOM32("max.s32"))
SHARED_ATOMIC(atom_shared_and_b32, SATOM32("and.b32"))
SHARED_ATOMIC(atom_shared_inc_u32, SATOM32("inc.u32"))
SHARED_ATOMIC(atom_shared_exch_b32, SATOM32("exch.b32"))
SHARED_ATOMIC(atom_shared_cas_b32, asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "r"(s), "r"(0), "r"(lane + 1) : "memory");)
SHARED_ATOMIC(atom_shared_add_u64, SATOM64("add.u64"))
SHARED_ATOMIC(atom_shared_min_u64, SATOM64("min.u64"))
SHARED_ATOMIC(atom_shared_exch_b64, SATOM64("exch.b64"))
SHARED_ATOMIC(atom_shared_cas_b64, u64 x; asm volatile("atom.shared.cas.b64 %0, [%1], %2, %3;" : "=l"(x) : "r"(s), "l"(0ull), "l"((u64)lane + 1) : "memory"); r = (u32)x;)
SHARED_ATOMIC(atom_shared_add_f32, float x; asm volatile("atom.shared.add.f32 %0, [%1], %2;" : "=f"(x) : "r"(s), "f"(lane + 1.0f) : "memory"); r = (u32)x;)
SHARED_ATOMIC(atom_shared_add_f64, double x; asm volatile("atom.shared.add.f64 %0, [%1], %2;" : "=d"(x) : "r"(s), "d"(lane + 1.0) : "memory"); r = (u32)x;)
SHARED_ATOMIC(red_shared_add_u32, SRED("add.u32", "r", lane + 1))
SHARED_ATOMIC(atom_shared_and_b64, SATOM64("and.b64"))
SHARED_ATOMIC(atom_shared_max_s64, SATOM64("max.s64"))
SHARED_ATOMIC(atom_shared_add_f16x2, SATOM32("add.noftz.f16x2"))
SHARED_ATOMIC(atom_shared_cas_b16, u16 x; asm volatile("atom.shared.cas.b16 %0, [%1], %2, %3;" : "=h"(x) : "r"(s), "h"((u16)0), "h"((u16)(lane + 1)) : "memory"); r = x;)
SHARED_ATOMIC(red_shared_max_u64, SRED("max.u64", "l", (u64)lane + 1))
SHARED_ATOMIC(red_shared_add_f64, SRED("add.f64", "d", lane + 1.0))
// ptxas makes another instruction of the constant 1.
SHARED_ATOMIC(red_shared_add_1, asm volatile("red.shared.add.u32 [%0], 1;" :: "r"(s) : "memory");)
SHARED_ATOMIC(red_shared_max_u32, SRED("max.u32", "r", lane + 1))
SHARED_ATOMIC(red_shared_add_u64, SRED("add.u64", "l", (u64)lane + 1))
SHARED_ATOMIC(red_shared_add_f32, SRED("add.f32", "f", lane + 1.0f))

#define LOCAL(body) "{ .reg .u64 a; .local .align 16 .b8 mine[8192]; mov.u64 a, mine; add.u64 a, a, %1; " body " }"
#define LLD1(type) asm volatile(LOCAL("ld.local." type " %0, [a];") : "=r"(r) : "l"((u64)o) : "memory");
#define LST1(type) asm volatile(LOCAL("st.local." type " [a], %0;") :: "r"(lane), "l"((u64)o) : "memory");
KERNEL(ld_local_8, LLD1("u8"))
KERNEL(ld_local_16, LLD1("u16"))
KERNEL(ld_local_32, LLD1("u32"))
KERNEL(ld_local_64, u64 x; asm volatile(LOCAL("ld.local.u64 %0, [a];") : "=l"(x) : "l"((u64)o) : "memory"); r = (u32)(x ^ x >> 32);)
KERNEL(ld_local_128, V4 asm volatile("{ .reg .u64 a; .local .align 16 .b8 mine[8192]; mov.u64 a, mine; add.u64 a, a, %4; ld.local.v4.u32 {%0,%1,%2,%3}, [a]; }" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"((u64)o) : "memory"); r = a ^ b ^ c ^ d;)
KERNEL(st_local_8, LST1("u8"))
KERNEL(st_local_16, asm volatile(LOCAL("st.local.u16 [a], %0;") :: "h"((u16)lane), "l"((u64)o) : "memory");)
KERNEL(st_local_32, LST1("u32"))
KERNEL(st_local_64, asm volatile(LOCAL("st.local.u64 [a], %0;") :: "l"((u64)lane), "l"((u64)o) : "memory");)
KERNEL(st_local_128, asm volatile(LOCAL("st.local.v4.u32 [a], {%0,%0,%0,%0};") :: "r"(lane), "l"((u64)o) : "memory");)

KERNEL(ld_const_8, r = ((const unsigned char *)table)[o];)
KERNEL(ld_const_16, r = ((const u16 *)table)[o / 2];)
KERNEL(ld_const_32, r = table[o / 4];)
KERNEL(ld_const_64, uint2 v = ((const uint2 *)table)[o / 8]; r = v.x ^ v.y;)
KERNEL(ld_const_128, uint4 v = ((const uint4 *)table)[o / 16]; r = v.x ^ v.y ^ v.z ^ v.w;)

typedef void (*Kernel)(const int *, char *, u32 *);
struct Named { const char *name; Kernel kernel; };
#define N(name) { #name, name },
static const Named KERNELS[] = {
    N(ld_global_8) N(ld_global_16) N(ld_global_32) N(ld_global_64) N(ld_global_128)
    N(ld_global_nc_8) N(ld_global_nc_16) N(ld_global_nc_32) N(ld_global_nc_64) N(ld_global_nc_128)
    N(ld_global_volatile_32) N(ld_global_relaxed_32) N(ld_global_acquire_32) N(ld_global_cg_32) N(ld_global_cs_32)
    N(ld_global_lu_32) N(ld_global_cv_32)
    N(st_global_8) N(st_global_16) N(st_global_32) N(st_global_64) N(st_global_128)
    N(st_global_volatile_32) N(st_global_release_32) N(st_global_cg_32) N(st_global_cs_32) N(st_global_wt_32)
    N(ld_generic_8) N(ld_generic_32) N(ld_generic_64) N(ld_generic_128) N(st_generic_32) N(st_generic_128)
    N(red_generic_add_u32) N(atom_generic_add_u32)
    N(red_global_add_u32) N(red_global_min_u32) N(red_global_max_s32) N(red_global_and_b32) N(red_global_xor_b32)
    N(red_global_inc_u32) N(red_global_add_u64) N(red_global_min_u64) N(red_global_or_b64) N(red_global_add_f32)
    N(red_global_add_f64) N(red_global_add_f16x2) N(red_global_add_bf16x2)
    N(atom_global_add_u32) N(atom_global_min_u32) N(atom_global_max_s32) N(atom_global_and_b32) N(atom_global_inc_u32)
    N(atom_global_exch_b32) N(atom_global_cas_b32) N(atom_global_add_u64) N(atom_global_min_u64) N(atom_global_exch_b64)
    N(atom_global_cas_b64) N(atom_global_exch_b128) N(atom_global_cas_b128) N(atom_global_cas_b16)
    N(atom_global_add_f32) N(atom_global_add_f64) N(atom_global_add_f16) N(atom_global_add_f16x2)
    N(ld_shared_8) N(ld_shared_16) N(ld_shared_32) N(ld_shared_64) N(ld_shared_128)
    N(st_shared_8) N(st_shared_16) N(st_shared_32) N(st_shared_64) N(st_shared_128)
    N(ldmatrix_1) N(ldmatrix_2) N(ldmatrix_4)
    N(cp_async_ca_32) N(cp_async_ca_64) N(cp_async_ca_128) N(cp_async_cg_128)
    N(cp_async_ca_half_32) N(cp_async_cg_half_128)
    N(atom_shared_add_u32) N(atom_shared_min_u32) N(atom_shared_max_s32) N(atom_shared_and_b32) N(atom_shared_inc_u32)
    N(atom_shared_exch_b32) N(atom_shared_cas_b32) N(atom_shared_add_u64) N(atom_shared_min_u64) N(atom_shared_exch_b64)
    N(atom_shared_cas_b64) N(atom_shared_add_f32) N(atom_shared_add_f64)
    N(atom_shared_and_b64) N(atom_shared_max_s64) N(atom_shared_add_f16x2) N(atom_shared_cas_b16)
    N(red_shared_max_u64) N(red_shared_add_f64)
    N(red_shared_add_u32) N(red_shared_add_1) N(red_shared_max_u32) N(red_shared_add_u64) N(red_shared_add_f32)
    N(ld_local_8) N(ld_local_16) N(ld_local_32) N(ld_local_64) N(ld_local_128)
    N(st_local_8) N(st_local_16) N(st_local_32) N(st_local_64) N(st_local_128)
    N(ld_const_8) N(ld_const_16) N(ld_const_32) N(ld_const_64) N(ld_const_128)
};
static const int COUNT = sizeof(KERNELS) / sizeof(KERNELS[0]);

static void check(cudaError_t error) {
    if (error != cudaSuccess) { fprintf(stderr, "accesses: %s\n", cudaGetErrorString(error)); exit(1); }
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (int i = 0; i < COUNT; i++) puts(KERNELS[i].name);
        return 0;
    }
    if (argc != 3 && argc != 4) { fprintf(stderr, "usage: accesses FILE SECONDS [BYTES] | accesses --list\n"); return 2; }
    size_t bytes = argc == 4 ? strtoull(argv[3], 0, 10) : 1 << 20;
    std::vector<int> words;
    FILE *file = fopen(argv[1], "rb");
    if (!file) { perror(argv[1]); return 1; }
    int word;
    while (fread(&word, 4, 1, file) == 1) words.push_back(word);
    fclose(file);
    const int BLOCKS = 1024;
    int *offs;
    char *buf;
    u32 *out;
    check(cudaMalloc(&offs, BLOCKS * 32 * 4));
    // Aligned to its size, so that the offsets are the addresses' low bits.
    check(cudaMalloc(&buf, 2 * bytes));
    buf = (char *)(((size_t)buf + bytes - 1) / bytes * bytes);
    check(cudaMalloc(&out, (BLOCKS * 32 + 32) * 4));
    check(cudaMemset(buf, 0, bytes));
    check(cudaMemset(out, 0, (BLOCKS * 32 + 32) * 4));
    auto start = std::chrono::steady_clock::now();
    int launched = 0;
    for (size_t i = 0; i + 2 <= words.size(); launched++) {
        std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        if (passed.count() > atof(argv[2])) break;
        int kernel = words[i], blocks = words[i + 1];
        if (kernel < 0 || kernel >= COUNT || blocks < 1 || blocks > BLOCKS || i + 2 + 32 * (size_t)blocks > words.size()) {
            fprintf(stderr, "accesses: %s is malformed at word %zu\n", argv[1], i);
            return 1;
        }
        check(cudaMemcpy(offs, &words[i + 2], 32 * 4 * blocks, cudaMemcpyHostToDevice));
        // Loops that values end begin with zeros every time.
        if (strstr(KERNELS[kernel].name, "16")) check(cudaMemset(buf, 0, bytes));
        KERNELS[kernel].kernel<<<blocks, 32>>>(offs, buf, out);
        check(cudaGetLastError());
        cudaError_t done = cudaDeviceSynchronize();
        if (done != cudaSuccess) { fprintf(stderr, "accesses: launch %d, %s: %s\n", launched, KERNELS[kernel].name, cudaGetErrorString(done)); return 1; }
        i += 2 + 32 * (size_t)blocks;
    }
    printf("%d launches\n", launched);
}
