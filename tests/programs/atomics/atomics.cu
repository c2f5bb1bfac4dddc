// Atomic operations of every type, in every scope, in shared and global memory.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
template <typename U> __device__ void all(unsigned *at, unsigned i, U) {
    atomicAdd(at, i); atomicSub(at + 1, i); atomicMin((int *)at + 2, -int(i)); atomicMax(at + 3, i); atomicAnd(at + 4, ~(1u << (i & 31))); atomicOr(at + 5, 1u << (i & 31)); atomicXor(at + 6, i * 77); atomicInc(at + 7, 10); atomicDec(at + 8, 13); atomicAdd((float *)at + 9, float(i & 15));
    atomicAdd((unsigned long long *)(at + 10), (1ull << 33) + i); atomicMax((unsigned long long *)(at + 12), (unsigned long long)i << 35); atomicMin((long long *)(at + 14), -(long long)i); atomicAnd((unsigned long long *)(at + 16), ~(1ull << (i & 63))); atomicOr((unsigned long long *)(at + 18), 1ull << (i & 63)); atomicXor((unsigned long long *)(at + 20), i * 0x123456789ull); atomicAdd((double *)(at + 22), 0.5 * i);
    atomicAdd((__half *)(at + 24), __float2half(1.0f)); atomicAdd((__half2 *)(at + 25), __floats2half2_rn(1.0f, 2.0f)); atomicAdd((__nv_bfloat162 *)(at + 26), __floats2bfloat162_rn(1.0f, 0.5f)); atomicAdd((__nv_bfloat16 *)(at + 27), __float2bfloat16(1.0f));
    unsigned old = atomicAdd(at + 28, 0u), seen; do { seen = old; old = atomicCAS(at + 28, seen, seen * 3 + 1); } while (old != seen); unsigned short o = 0, w; do { w = o; o = atomicCAS((unsigned short *)(at + 29), w, (unsigned short)(w + 3)); } while (o != w); atomicCAS((unsigned long long *)(at + 30), 0ull, 1ull); atomicExch(at + 32, 7u); atomicExch((unsigned long long *)(at + 34), 9ull); atomicExch((float *)(at + 36), 2.5f);
    atomicAdd_system(at + 37, i); atomicAdd_block(at + 38, 1u); atomicMax_system((int *)at + 39, int(i)); atomicCAS_block(at + 40, 0u, 5u); atomicOr_system(at + 41, i);
}
extern "C" __global__ void atoms(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x; all(out, i, 0); __shared__ alignas(8) unsigned s[48]; if (threadIdx.x < 48) s[threadIdx.x] = 0; __syncthreads(); all(s, threadIdx.x, 0); __syncthreads(); if (blockIdx.x == 1 && threadIdx.x < 48) out[64 + threadIdx.x] = s[threadIdx.x]; unsigned *g = i & 1 ? s : out + 128; __syncthreads(); atomicAdd(g + 45, 2u); if (g == s) atomicMax(g + 46, i & 31); __syncthreads(); if (blockIdx.x == 2 && threadIdx.x == 0) { out[192] = s[45]; out[193] = s[46]; }
}
extern "C" __global__ void returns(unsigned *out) {
    unsigned i = threadIdx.x + 32 * blockIdx.x, n = 64; __shared__ unsigned s[32]; s[threadIdx.x] = i * 5; __syncwarp(); unsigned *p = s + threadIdx.x, *g = out + 20 * n + i; *g = i * 9;
    out[i] = atomicAdd(p, 3u); out[n + i] = atomicInc(p, 40u); out[2 * n + i] = atomicDec(p, 9u); out[3 * n + i] = atomicExch(p, i ^ 5); out[4 * n + i] = atomicCAS(p, i ^ 5, 8u); out[5 * n + i] = *p; out[6 * n + i] = atomicMin(g, 100u); out[7 * n + i] = atomicSub(g, 2u); out[8 * n + i] = atomicAnd(g, 0xf0fu); out[9 * n + i] = __float_as_uint(atomicAdd((float *)(g), 1.0f)); out[10 * n + i] = atomicExch(g, 3u); out[11 * n + i] = *g; __half2 h = atomicAdd((__half2 *)g, __floats2half2_rn(0.5f, 0.25f)); out[12 * n + i] = *(unsigned *)&h;
#if __CUDA_ARCH__ >= 900
    float4 f = atomicAdd((float4 *)(out + 16 * n) + (i & 15), make_float4(1, 2, 3, 4)); out[13 * n + i] = (f.x == f.y * 0.5f); float2 e = atomicAdd((float2 *)(out + 18 * n) + (i & 31), make_float2(1, 2)); out[14 * n + i] = e.y == 2 * e.x;
#endif
}
