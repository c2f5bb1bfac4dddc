// What clang needs in place of the toolkit's headers (it compiles with -nocudainc here): the qualifiers, the
// built-in variables, and the few intrinsics that the programs use, by the names that nvcc gives them.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#undef __noinline__
#define __noinline__ __attribute__((noinline))
#include <__clang_cuda_builtin_vars.h>

struct float4 { float x, y, z, w; } __attribute__((aligned(16)));
struct float2 { float x, y; } __attribute__((aligned(8)));
struct uint4 { unsigned x, y, z, w; } __attribute__((aligned(16)));
__device__ inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
__device__ inline float2 make_float2(float x, float y) { return {x, y}; }
__device__ inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

__device__ inline void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
__device__ inline unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
__device__ inline int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__device__ inline int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
__device__ inline int __shfl_sync(unsigned mask, int v, int lane) { return __nvvm_shfl_sync_idx_i32(mask, v, lane, 31); }
__device__ inline int __shfl_up_sync(unsigned mask, int v, int d) { return __nvvm_shfl_sync_up_i32(mask, v, d, 0); }
__device__ inline int __shfl_down_sync(unsigned mask, int v, int d) { return __nvvm_shfl_sync_down_i32(mask, v, d, 31); }
__device__ inline int __shfl_xor_sync(unsigned mask, int v, int d) { return __nvvm_shfl_sync_bfly_i32(mask, v, d, 31); }
__device__ inline float __shfl_down_sync(unsigned mask, float v, int d) { return __nvvm_shfl_sync_down_f32(mask, v, d, 31); }
__device__ inline void __threadfence() { __nvvm_membar_gl(); }
__device__ inline void __threadfence_block() { __nvvm_membar_cta(); }

__device__ inline int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
__device__ inline unsigned atomicAdd(unsigned *p, unsigned v) { return __nvvm_atom_add_gen_i((int *)p, v); }
__device__ inline unsigned long long atomicAdd(unsigned long long *p, unsigned long long v) { return __nvvm_atom_add_gen_ll((long long *)p, v); }
__device__ inline float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
__device__ inline int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
__device__ inline int atomicMin(int *p, int v) { return __nvvm_atom_min_gen_i(p, v); }
__device__ inline unsigned atomicMin(unsigned *p, unsigned v) { return __nvvm_atom_min_gen_ui(p, v); }
__device__ inline unsigned atomicInc(unsigned *p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
__device__ inline int atomicExch(int *p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
__device__ inline int atomicCAS(int *p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
__device__ inline unsigned long long atomicCAS(unsigned long long *p, unsigned long long c, unsigned long long v) { return __nvvm_atom_cas_gen_ll((long long *)p, c, v); }

__device__ inline int __popc(unsigned x) { return __builtin_popcount(x); }
__device__ inline int __clz(unsigned x) { return x ? __builtin_clz(x) : 32; }
__device__ inline int __ffs(int x) { return __builtin_ffs(x); }
__device__ inline unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__device__ inline float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
__device__ inline float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ inline float fabsf(float x) { return __builtin_fabsf(x); }
__device__ inline float fminf(float a, float b) { return __builtin_fminf(a, b); }
__device__ inline float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
__device__ inline float floorf(float x) { return __builtin_floorf(x); }
__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline int max(int a, int b) { return a > b ? a : b; }
