// arch: compute_90
// A histogram of keys, with its bins in global memory, in the shared memory of a block, or spread over that of a cluster.
//
// Keys are computed and not loaded, so that nothing but the counting is measured; there are 2^BITS bins.

__device__ unsigned key(unsigned i, int bits) { return i * 2654435761u >> (32 - bits); }

// ANCHOR: global
extern "C" __global__ void global_bins(unsigned *out, unsigned keys, int bits) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < keys; i += gridDim.x * blockDim.x)
        atomicAdd(&out[key(i, bits)], 1u);
}
// ANCHOR_END: global

// ANCHOR: block
extern "C" __global__ void block_bins(unsigned *out, unsigned keys, int bits) {
    extern __shared__ unsigned bins[];
    unsigned count = 1u << bits;
    for (unsigned b = threadIdx.x; b < count; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < keys; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[key(i, bits)], 1u);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < count; b += blockDim.x)
        if (bins[b]) atomicAdd(&out[b], bins[b]);
}
// ANCHOR_END: block

// What cooperative_groups' this_cluster() has, which needs the toolkit's header: map_shared_rank and an atomic there, and sync.
__device__ void add_in_block(unsigned *bin, unsigned rank) {
    unsigned at = (unsigned)__cvta_generic_to_shared(bin);
    asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; red.relaxed.cluster.shared::cluster.add.u32 [there], 1; }" ::"r"(at),
                 "r"(rank)
                 : "memory");
}
__device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
}
__device__ unsigned rank_in_cluster() {
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// ANCHOR: cluster
// Each of BLOCKS blocks has 1 / BLOCKS of the bins, and adds to those of the others.
template <int BLOCKS> __device__ void spread(unsigned *out, unsigned keys, int bits) {
    extern __shared__ unsigned bins[];
    unsigned each = (1u << bits) / BLOCKS;
    for (unsigned b = threadIdx.x; b < each; b += blockDim.x) bins[b] = 0;
    cluster_sync();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < keys; i += gridDim.x * blockDim.x) {
        unsigned bin = key(i, bits);
        add_in_block(&bins[bin % each], bin / each);
    }
    cluster_sync();
    unsigned first = each * rank_in_cluster();
    for (unsigned b = threadIdx.x; b < each; b += blockDim.x)
        if (bins[b]) atomicAdd(&out[first + b], bins[b]);
}
// ANCHOR_END: cluster

extern "C" __global__ void __cluster_dims__(2) cluster_2(unsigned *out, unsigned keys, int bits) { spread<2>(out, keys, bits); }
extern "C" __global__ void __cluster_dims__(4) cluster_4(unsigned *out, unsigned keys, int bits) { spread<4>(out, keys, bits); }
extern "C" __global__ void __cluster_dims__(8) cluster_8(unsigned *out, unsigned keys, int bits) { spread<8>(out, keys, bits); }
