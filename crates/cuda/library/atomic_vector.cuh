// Sums of vectors in global memory (sm_90 and later): each element is added by itself.
#if __CUDA_ARCH__ >= 900
#define SCOPES(NAME, SCOPE)                                                                                                     \
    __device__ inline float2 NAME(float2 *p, float2 v)                                                                          \
    {                                                                                                                           \
        float2 r;                                                                                                               \
        asm volatile("atom." SCOPE "global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"                                                \
                     : "=f"(r.x), "=f"(r.y) : "l"(__cvta_generic_to_global(p)), "f"(v.x), "f"(v.y) : "memory");                 \
        return r;                                                                                                               \
    }                                                                                                                           \
    __device__ inline float4 NAME(float4 *p, float4 v)                                                                          \
    {                                                                                                                           \
        float4 r;                                                                                                               \
        asm volatile("atom." SCOPE "global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"                                \
                     : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)                                                               \
                     : "l"(__cvta_generic_to_global(p)), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");                    \
        return r;                                                                                                               \
    }
SCOPES(atomicAdd, "")
SCOPES(atomicAdd_block, "relaxed.cta.")
SCOPES(atomicAdd_system, "relaxed.sys.")
#undef SCOPES
#endif
