// SIMD within a word: two half-words or four bytes in an unsigned. S is __v…2's or __v…4's sign bits, L the elements' lowest bits,
// SPREAD prmt's selector of each element's sign.
// Sums without carries between elements: Hacker's Delight, 2-18.
#define SUMS(N, S)                                                                                                              \
    __device__ inline unsigned __vadd##N(unsigned a, unsigned b) { return ((a & ~S) + (b & ~S)) ^ ((a ^ b) & S); }              \
    __device__ inline unsigned __vsub##N(unsigned a, unsigned b) { return ((a | S) - (b & ~S)) ^ ((a ^ ~b) & S); }
SUMS(4, 0x80808080u)
#if __CUDA_ARCH__ >= 900
__device__ inline unsigned __vadd2(unsigned a, unsigned b) { return __builtin_add_u16x2(a, b); }
__device__ inline unsigned __vsub2(unsigned a, unsigned b) { return __vadd2(__vadd2(a, ~b), 0x00010001u); }
#else
SUMS(2, 0x80008000u)
#endif
#undef SUMS
#define SIMD(N, S, L, SPREAD)                                                                                                   \
    __device__ inline unsigned __vneg##N(unsigned a) { return __vsub##N(0, a); }                                                \
    __device__ inline unsigned __vavgu##N(unsigned a, unsigned b) { return (a | b) - (((a ^ b) & ~L) >> 1); }                   \
    __device__ inline unsigned __vhaddu##N(unsigned a, unsigned b) { return (a & b) + (((a ^ b) & ~L) >> 1); }                  \
    __device__ inline unsigned __vavgs##N(unsigned a, unsigned b) { return __vavgs_elements##N(a, b); }                         \
    /* All bits of the elements whose sign bit is set in s. */                                                                  \
    __device__ inline unsigned __vspread##N(unsigned s) { return __builtin_prmt(s, 0u, SPREAD); }                               \
    __device__ inline unsigned __vcmpeq##N(unsigned a, unsigned b)                                                              \
    {                                                                                                                           \
        unsigned d = a ^ b;                                                                                                     \
        return __vspread##N(~(((d & ~S) + ~S) | d));                                                                            \
    }                                                                                                                           \
    __device__ inline unsigned __vcmpne##N(unsigned a, unsigned b) { return ~__vcmpeq##N(a, b); }                               \
    __device__ inline unsigned __vcmpgeu##N(unsigned a, unsigned b)                                                             \
    {                                                                                                                           \
        unsigned low = (a | S) - (b & ~S);                                                                                      \
        return __vspread##N((a & ~b) | (~(a ^ b) & low));                                                                       \
    }                                                                                                                           \
    __device__ inline unsigned __vcmpgtu##N(unsigned a, unsigned b) { return ~__vcmpgeu##N(b, a); }                             \
    __device__ inline unsigned __vcmpleu##N(unsigned a, unsigned b) { return __vcmpgeu##N(b, a); }                              \
    __device__ inline unsigned __vcmpltu##N(unsigned a, unsigned b) { return ~__vcmpgeu##N(a, b); }                             \
    __device__ inline unsigned __vcmpges##N(unsigned a, unsigned b) { return __vcmpgeu##N(a ^ S, b ^ S); }                      \
    __device__ inline unsigned __vcmpgts##N(unsigned a, unsigned b) { return ~__vcmpgeu##N(b ^ S, a ^ S); }                     \
    __device__ inline unsigned __vcmples##N(unsigned a, unsigned b) { return __vcmpgeu##N(b ^ S, a ^ S); }                      \
    __device__ inline unsigned __vcmplts##N(unsigned a, unsigned b) { return ~__vcmpgeu##N(a ^ S, b ^ S); }                     \
    __device__ inline unsigned __vseteq##N(unsigned a, unsigned b) { return __vcmpeq##N(a, b) & L; }                            \
    __device__ inline unsigned __vsetne##N(unsigned a, unsigned b) { return __vcmpne##N(a, b) & L; }                            \
    __device__ inline unsigned __vsetgeu##N(unsigned a, unsigned b) { return __vcmpgeu##N(a, b) & L; }                          \
    __device__ inline unsigned __vsetgtu##N(unsigned a, unsigned b) { return __vcmpgtu##N(a, b) & L; }                          \
    __device__ inline unsigned __vsetleu##N(unsigned a, unsigned b) { return __vcmpleu##N(a, b) & L; }                          \
    __device__ inline unsigned __vsetltu##N(unsigned a, unsigned b) { return __vcmpltu##N(a, b) & L; }                          \
    __device__ inline unsigned __vsetges##N(unsigned a, unsigned b) { return __vcmpges##N(a, b) & L; }                          \
    __device__ inline unsigned __vsetgts##N(unsigned a, unsigned b) { return __vcmpgts##N(a, b) & L; }                          \
    __device__ inline unsigned __vsetles##N(unsigned a, unsigned b) { return __vcmples##N(a, b) & L; }                          \
    __device__ inline unsigned __vsetlts##N(unsigned a, unsigned b) { return __vcmplts##N(a, b) & L; }                          \
    __device__ inline unsigned __vpick##N(unsigned mask, unsigned a, unsigned b) { return (a & mask) | (b & ~mask); }           \
    __device__ inline unsigned __vabs##N(unsigned a) { return __vpick##N(__vspread##N(a), __vneg##N(a), a); }                   \
    __device__ inline unsigned __vaddus##N(unsigned a, unsigned b)                                                              \
    {                                                                                                                           \
        unsigned sum = __vadd##N(a, b);                                                                                         \
        return sum | __vcmpltu##N(sum, a);                                                                                      \
    }                                                                                                                           \
    __device__ inline unsigned __vsubus##N(unsigned a, unsigned b) { return __vsub##N(a, b) & __vcmpgeu##N(a, b); }             \
    /* Where the signed sum overflows, the largest value, or the smallest where a is negative. */                               \
    __device__ inline unsigned __vaddss##N(unsigned a, unsigned b)                                                              \
    {                                                                                                                           \
        unsigned sum = __vadd##N(a, b), over = __vspread##N((a ^ sum) & (b ^ sum));                                             \
        return __vpick##N(over, __vspread##N(a) ^ ~S, sum);                                                                     \
    }                                                                                                                           \
    __device__ inline unsigned __vsubss##N(unsigned a, unsigned b)                                                              \
    {                                                                                                                           \
        unsigned difference = __vsub##N(a, b), over = __vspread##N((a ^ b) & (a ^ difference));                                 \
        return __vpick##N(over, __vspread##N(a) ^ ~S, difference);                                                              \
    }                                                                                                                           \
    __device__ inline unsigned __vnegss##N(unsigned a) { return __vsubss##N(0, a); }                                            \
    __device__ inline unsigned __vabsss##N(unsigned a) { return __vpick##N(__vspread##N(a), __vnegss##N(a), a); }

// Of signed elements, halves away from zero: the average rounded down, in the order of unsigned ones, and one more where the sum is
// odd and not negative.
__device__ inline unsigned __vavgs_elements2(unsigned a, unsigned b)
{
    unsigned odd = (a ^ b) & 0x00010001u;
    a ^= 0x80008000u;
    b ^= 0x80008000u;
    unsigned down = ((a & b) + (((a ^ b) & ~0x00010001u) >> 1)) ^ 0x80008000u;
    return down + (odd & ~(down >> 15));
}
__device__ inline unsigned __vavgs_elements4(unsigned a, unsigned b)
{
    unsigned odd = (a ^ b) & 0x01010101u;
    a ^= 0x80808080u;
    b ^= 0x80808080u;
    unsigned down = ((a & b) + (((a ^ b) & ~0x01010101u) >> 1)) ^ 0x80808080u;
    return down + (odd & ~(down >> 7));
}
SIMD(2, 0x80008000u, 0x00010001u, 0xbb99u)
SIMD(4, 0x80808080u, 0x01010101u, 0xba98u)
#undef SIMD
#define EXTREMES(N)                                                                                                             \
    __device__ inline unsigned __vmaxu##N(unsigned a, unsigned b) { return __vpick##N(__vcmpgeu##N(a, b), a, b); }              \
    __device__ inline unsigned __vminu##N(unsigned a, unsigned b) { return __vpick##N(__vcmpgeu##N(a, b), b, a); }              \
    __device__ inline unsigned __vmaxs##N(unsigned a, unsigned b) { return __vpick##N(__vcmpges##N(a, b), a, b); }              \
    __device__ inline unsigned __vmins##N(unsigned a, unsigned b) { return __vpick##N(__vcmpges##N(a, b), b, a); }
EXTREMES(4)
#if __CUDA_ARCH__ >= 900
__device__ inline unsigned __vmaxu2(unsigned a, unsigned b) { return __builtin_max_u16x2(a, b); }
__device__ inline unsigned __vminu2(unsigned a, unsigned b) { return __builtin_min_u16x2(a, b); }
__device__ inline unsigned __vmaxs2(unsigned a, unsigned b) { return __builtin_max_s16x2(a, b); }
__device__ inline unsigned __vmins2(unsigned a, unsigned b) { return __builtin_min_s16x2(a, b); }
#else
EXTREMES(2)
#endif
#undef EXTREMES
__device__ inline unsigned __vabsdiffu4(unsigned a, unsigned b) { return __builtin_vabsdiff4(a, b, 0u); }
__device__ inline unsigned __vabsdiffs4(unsigned a, unsigned b) { return __vabsdiffu4(a ^ 0x80808080u, b ^ 0x80808080u); }
__device__ inline unsigned __vabsdiffu2(unsigned a, unsigned b)
{
    return __vpick2(__vcmpgeu2(a, b), __vsub2(a, b), __vsub2(b, a));
}
__device__ inline unsigned __vabsdiffs2(unsigned a, unsigned b) { return __vabsdiffu2(a ^ 0x80008000u, b ^ 0x80008000u); }
__device__ inline unsigned __vsadu2(unsigned a, unsigned b) { return __builtin_vsad2(a, b, 0u); }
__device__ inline unsigned __vsads2(unsigned a, unsigned b) { return __vsadu2(a ^ 0x80008000u, b ^ 0x80008000u); }
__device__ inline unsigned __vsadu4(unsigned a, unsigned b) { return __builtin_vsad4(a, b, 0u); }
__device__ inline unsigned __vsads4(unsigned a, unsigned b) { return __vsadu4(a ^ 0x80808080u, b ^ 0x80808080u); }
