// Warp shuffles of all types, and votes with two results. PTX's operand c holds the segments' mask above the clamp.
#define SHUFFLE(T, V)                                                                                                           \
    __device__ inline T __shfl_sync(unsigned mask, T v, int lane, int width = 32)                                               \
    {                                                                                                                           \
        return (T)__builtin_shfl_idx(mask, (V)v, (unsigned)lane, (unsigned)(32 - width) << 8 | 31);                             \
    }                                                                                                                           \
    __device__ inline T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32)                                      \
    {                                                                                                                           \
        return (T)__builtin_shfl_up(mask, (V)v, delta, (unsigned)(32 - width) << 8);                                            \
    }                                                                                                                           \
    __device__ inline T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32)                                    \
    {                                                                                                                           \
        return (T)__builtin_shfl_down(mask, (V)v, delta, (unsigned)(32 - width) << 8 | 31);                                     \
    }                                                                                                                           \
    __device__ inline T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32)                                          \
    {                                                                                                                           \
        return (T)__builtin_shfl_bfly(mask, (V)v, (unsigned)lanes, (unsigned)(32 - width) << 8 | 31);                           \
    }
SHUFFLE(int, int)
SHUFFLE(unsigned, unsigned)
SHUFFLE(float, float)
#undef SHUFFLE

// The eight-byte types: two shuffles of the halves.
#define HALVES(NAME, L)                                                                                                         \
    __device__ inline unsigned long long NAME(unsigned mask, unsigned long long v, L lane, int width = 32)                      \
    {                                                                                                                           \
        unsigned low = NAME(mask, (unsigned)v, lane, width), high = NAME(mask, (unsigned)(v >> 32), lane, width);               \
        return (unsigned long long)high << 32 | low;                                                                            \
    }                                                                                                                           \
    __device__ inline long long NAME(unsigned mask, long long v, L lane, int width = 32)                                        \
    {                                                                                                                           \
        return (long long)NAME(mask, (unsigned long long)v, lane, width);                                                       \
    }                                                                                                                           \
    __device__ inline unsigned long NAME(unsigned mask, unsigned long v, L lane, int width = 32)                                \
    {                                                                                                                           \
        return (unsigned long)NAME(mask, (unsigned long long)v, lane, width);                                                   \
    }                                                                                                                           \
    __device__ inline long NAME(unsigned mask, long v, L lane, int width = 32)                                                  \
    {                                                                                                                           \
        return (long)NAME(mask, (unsigned long long)v, lane, width);                                                            \
    }                                                                                                                           \
    __device__ inline double NAME(unsigned mask, double v, L lane, int width = 32)                                              \
    {                                                                                                                           \
        return __longlong_as_double((long long)NAME(mask, (unsigned long long)__double_as_longlong(v), lane, width));           \
    }
HALVES(__shfl_sync, int)
HALVES(__shfl_up_sync, unsigned)
HALVES(__shfl_down_sync, unsigned)
HALVES(__shfl_xor_sync, int)
#undef HALVES

#define MATCH_ALL(T)                                                                                                            \
    __device__ inline unsigned __match_all_sync(unsigned mask, T v, int *all)                                                   \
    {                                                                                                                           \
        unsigned same = __builtin_match_all(mask, v);                                                                           \
        *all = same != 0;                                                                                                       \
        return same;                                                                                                            \
    }
MATCH_ALL(int)
MATCH_ALL(unsigned)
MATCH_ALL(float)
MATCH_ALL(long)
MATCH_ALL(unsigned long)
MATCH_ALL(long long)
MATCH_ALL(unsigned long long)
MATCH_ALL(double)
#undef MATCH_ALL
