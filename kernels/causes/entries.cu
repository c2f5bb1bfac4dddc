// A table that all lanes read at the same entry, where only the run decides which.
//
// `begin` holds zeros. A thread finds its first entry there, so the compiler cannot know that all lanes read the same one. Every
// thread reads `entries` entries from there on, `rounds` times.

#define BYTES 65536 // all the constant memory that a module can have

__constant__ float4 table[BYTES / sizeof(float4)];

__device__ __forceinline__ float sum(float entry) { return entry; }
__device__ __forceinline__ float sum(float4 entry) { return entry.x + entry.y + entry.z + entry.w; }

// ANCHOR: walk
template <typename Entry>
__device__ __forceinline__ void walk(const Entry *table, const int *begin, float *out, int entries, int rounds) {
    int first = begin[threadIdx.x];
    float total = 0.0f;
    for (int round = 0; round < rounds; round++) {
#pragma unroll 8
        for (int k = first; k < first + entries; k++) total += sum(table[k]);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
// ANCHOR_END: walk

// The block's own copy of the table, in dynamic shared memory.
template <typename Entry> __device__ __forceinline__ const Entry *copied(const Entry *from, int entries) {
    extern __shared__ float4 memory[];
    Entry *to = (Entry *)memory;
    for (int k = threadIdx.x; k < entries; k += blockDim.x) to[k] = from[k];
    __syncthreads();
    return to;
}

extern "C" __global__ void constant_4(const float *, const int *begin, float *out, int entries, int rounds) {
    walk((const float *)table, begin, out, entries, rounds);
}

extern "C" __global__ void constant_16(const float4 *, const int *begin, float *out, int entries, int rounds) {
    walk(table, begin, out, entries, rounds);
}

extern "C" __global__ void shared_4(const float *from, const int *begin, float *out, int entries, int rounds) {
    walk(copied(from, entries), begin, out, entries, rounds);
}

extern "C" __global__ void shared_16(const float4 *from, const int *begin, float *out, int entries, int rounds) {
    walk(copied(from, entries), begin, out, entries, rounds);
}

// Through L1.
extern "C" __global__ void global_4(const float *__restrict__ from, const int *begin, float *out, int entries, int rounds) {
    walk(from, begin, out, entries, rounds);
}

extern "C" __global__ void global_16(const float4 *__restrict__ from, const int *begin, float *out, int entries, int rounds) {
    walk(from, begin, out, entries, rounds);
}
