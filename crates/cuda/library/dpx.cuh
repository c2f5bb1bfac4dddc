// Maxima and minima of three, of sums, with a lower bound of zero, and with which one it was (DPX): CUDA Math API, "SIMD Intrinsics"
// and "DPX". In two half-words with those of simd.cuh; sums of half-words wrap.
#define WORDS(T, S)                                                                                                             \
    __device__ inline T __vimax3_##S(T a, T b, T c) { return max(max(a, b), c); }                                               \
    __device__ inline T __vimin3_##S(T a, T b, T c) { return min(min(a, b), c); }                                               \
    __device__ inline T __viaddmax_##S(T a, T b, T c) { return max((T)((unsigned)a + (unsigned)b), c); }                        \
    __device__ inline T __viaddmin_##S(T a, T b, T c) { return min((T)((unsigned)a + (unsigned)b), c); }                        \
    __device__ inline T __vibmax_##S(T a, T b, bool *first)                                                                     \
    {                                                                                                                           \
        *first = a >= b;                                                                                                        \
        return max(a, b);                                                                                                       \
    }                                                                                                                           \
    __device__ inline T __vibmin_##S(T a, T b, bool *first)                                                                     \
    {                                                                                                                           \
        *first = a <= b;                                                                                                        \
        return min(a, b);                                                                                                       \
    }
WORDS(int, s32)
WORDS(unsigned, u32)
#undef WORDS
#if __CUDA_ARCH__ >= 900
__device__ inline int __vimax_s32_relu(int a, int b) { return __builtin_max_relu_s32(a, b); }
__device__ inline int __vimin_s32_relu(int a, int b) { return __builtin_min_relu_s32(a, b); }
__device__ inline unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __builtin_max_relu_s16x2(a, b); }
__device__ inline unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __builtin_min_relu_s16x2(a, b); }
#else
__device__ inline int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
__device__ inline int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
__device__ inline unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmaxs2(a, b), 0); }
__device__ inline unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
#endif
__device__ inline int __vimax3_s32_relu(int a, int b, int c) { return __vimax_s32_relu(max(a, b), c); }
__device__ inline int __vimin3_s32_relu(int a, int b, int c) { return __vimin_s32_relu(min(a, b), c); }
__device__ inline int __viaddmax_s32_relu(int a, int b, int c) { return __vimax_s32_relu((int)((unsigned)a + (unsigned)b), c); }
__device__ inline int __viaddmin_s32_relu(int a, int b, int c) { return __vimin_s32_relu((int)((unsigned)a + (unsigned)b), c); }

#define HALVES(S, MAX, MIN, GE, LE)                                                                                             \
    __device__ inline unsigned __vimax3_##S(unsigned a, unsigned b, unsigned c) { return MAX(MAX(a, b), c); }                   \
    __device__ inline unsigned __vimin3_##S(unsigned a, unsigned b, unsigned c) { return MIN(MIN(a, b), c); }                   \
    __device__ inline unsigned __viaddmax_##S(unsigned a, unsigned b, unsigned c) { return MAX(__vadd2(a, b), c); }             \
    __device__ inline unsigned __viaddmin_##S(unsigned a, unsigned b, unsigned c) { return MIN(__vadd2(a, b), c); }             \
    __device__ inline unsigned __vibmax_##S(unsigned a, unsigned b, bool *high, bool *low)                                      \
    {                                                                                                                           \
        unsigned first = GE(a, b);                                                                                              \
        *high = (first >> 16) != 0;                                                                                             \
        *low = (first & 0xffff) != 0;                                                                                           \
        return MAX(a, b);                                                                                                       \
    }                                                                                                                           \
    __device__ inline unsigned __vibmin_##S(unsigned a, unsigned b, bool *high, bool *low)                                      \
    {                                                                                                                           \
        unsigned first = LE(a, b);                                                                                              \
        *high = (first >> 16) != 0;                                                                                             \
        *low = (first & 0xffff) != 0;                                                                                           \
        return MIN(a, b);                                                                                                       \
    }
HALVES(s16x2, __vmaxs2, __vmins2, __vcmpges2, __vcmples2)
HALVES(u16x2, __vmaxu2, __vminu2, __vcmpgeu2, __vcmpleu2)
#undef HALVES
__device__ inline unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimax_s16x2_relu(__vmaxs2(a, b), c); }
__device__ inline unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimin_s16x2_relu(__vmins2(a, b), c); }
__device__ inline unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimax_s16x2_relu(__vadd2(a, b), c); }
__device__ inline unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vimin_s16x2_relu(__vadd2(a, b), c); }
