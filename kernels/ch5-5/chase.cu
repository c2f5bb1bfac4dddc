// Dependent loads ("pointer chasing") from constant memory, through the read-only cache, from global memory and from
// shared memory.
//
// A table entry holds the byte offset of the entry to read next, so that each load waits for the one before it and
// nothing but loads is timed. Lane l starts at start[l]. Where every entry points to itself, a lane reads one address
// over and over: the starts then choose how many distinct addresses a warp asks for. Where the entries form a ring,
// all lanes walk through a working set together. Each round is LOADS dependent loads; out[thread] is where they ended,
// which the lab checks.

#define LOADS 16
#define WORDS 16384 // 64 KiB, all the constant memory that a module can have

__constant__ unsigned table[WORDS];

// ANCHOR: constant
extern "C" __global__ void chase_constant(const unsigned *start, unsigned *out, int rounds) {
    unsigned at = start[threadIdx.x % 32];
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int i = 0; i < LOADS; i++) at = *(const unsigned *)((const char *)table + at);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
// ANCHOR_END: constant

// ANCHOR: read_only
extern "C" __global__ void chase_read_only(const unsigned *start, unsigned *out, int rounds, const unsigned *in) {
    unsigned at = start[threadIdx.x % 32];
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int i = 0; i < LOADS; i++) at = __ldg((const unsigned *)((const char *)in + at));
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
// ANCHOR_END: read_only

// The same with plain loads.
extern "C" __global__ void chase_global(const unsigned *start, unsigned *out, int rounds, const unsigned *in) {
    unsigned at = start[threadIdx.x % 32];
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int i = 0; i < LOADS; i++) at = *(const unsigned *)((const char *)in + at);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// ANCHOR: shared
// Dynamic shared memory: `words` entries, copied from `in` by the block.
extern "C" __global__ void chase_shared(const unsigned *start, unsigned *out, int rounds, const unsigned *in, int words) {
    extern __shared__ unsigned smem[];
    for (int i = threadIdx.x; i < words; i += blockDim.x) smem[i] = in[i];
    __syncthreads();
    unsigned at = start[threadIdx.x % 32];
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int i = 0; i < LOADS; i++) at = *(const unsigned *)((const char *)smem + at);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
// ANCHOR_END: shared
