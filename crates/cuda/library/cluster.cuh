// Clusters of blocks (sm_90 and later).
#define SPECIAL(NAME, TYPE, REGISTER)                                                                                           \
    __device__ inline TYPE NAME()                                                                                               \
    {                                                                                                                           \
        TYPE v;                                                                                                                 \
        asm("mov.u32 %0, %%" REGISTER ".x;" : "=r"(v.x));                                                                       \
        asm("mov.u32 %0, %%" REGISTER ".y;" : "=r"(v.y));                                                                       \
        asm("mov.u32 %0, %%" REGISTER ".z;" : "=r"(v.z));                                                                       \
        return v;                                                                                                               \
    }
SPECIAL(__clusterDim, dim3, "cluster_nctaid")
SPECIAL(__clusterRelativeBlockIdx, dim3, "cluster_ctaid")
SPECIAL(__clusterGridDimInClusters, dim3, "nclusterid")
SPECIAL(__clusterIdx, dim3, "clusterid")
#undef SPECIAL
__device__ inline unsigned __clusterRelativeBlockRank()
{
    unsigned v;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(v));
    return v;
}
__device__ inline unsigned __clusterSizeInBlocks()
{
    unsigned v;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(v));
    return v;
}
__device__ inline void __cluster_barrier_arrive() { __builtin_cluster_arrive(); }
__device__ inline void __cluster_barrier_wait() { __builtin_cluster_wait(); }
__device__ inline void *__cluster_map_shared_rank(const void *p, unsigned rank)
{
    void *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
    return there;
}
__device__ inline unsigned __cluster_query_shared_rank(const void *p)
{
    unsigned rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
    return rank;
}
