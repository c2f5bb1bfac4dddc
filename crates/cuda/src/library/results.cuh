// Results of functions that have several, one at a time, for the tables of references: for CUDA and for scripts/math-errors.
#define PARTS(T, F)                                                                                                             \
    __device__ inline T sine_sincos##F(T x)                                                                                     \
    {                                                                                                                           \
        T s, c;                                                                                                                 \
        sincos##F(x, &s, &c);                                                                                                   \
        return s;                                                                                                               \
    }                                                                                                                           \
    __device__ inline T cosine_sincos##F(T x)                                                                                   \
    {                                                                                                                           \
        T s, c;                                                                                                                 \
        sincos##F(x, &s, &c);                                                                                                   \
        return c;                                                                                                               \
    }                                                                                                                           \
    __device__ inline T sine_sincospi##F(T x)                                                                                   \
    {                                                                                                                           \
        T s, c;                                                                                                                 \
        sincospi##F(x, &s, &c);                                                                                                 \
        return s;                                                                                                               \
    }                                                                                                                           \
    __device__ inline T cosine_sincospi##F(T x)                                                                                 \
    {                                                                                                                           \
        T s, c;                                                                                                                 \
        sincospi##F(x, &s, &c);                                                                                                 \
        return c;                                                                                                               \
    }                                                                                                                           \
    __device__ inline T fraction_frexp##F(T x)                                                                                  \
    {                                                                                                                           \
        int exponent;                                                                                                           \
        return frexp##F(x, &exponent);                                                                                          \
    }                                                                                                                           \
    __device__ inline T exponent_frexp##F(T x)                                                                                  \
    {                                                                                                                           \
        int exponent;                                                                                                           \
        frexp##F(x, &exponent);                                                                                                 \
        return (T)exponent;                                                                                                     \
    }                                                                                                                           \
    __device__ inline T rest_modf##F(T x)                                                                                       \
    {                                                                                                                           \
        T whole;                                                                                                                \
        return modf##F(x, &whole);                                                                                              \
    }                                                                                                                           \
    __device__ inline T whole_modf##F(T x)                                                                                      \
    {                                                                                                                           \
        T whole;                                                                                                                \
        modf##F(x, &whole);                                                                                                     \
        return whole;                                                                                                           \
    }                                                                                                                           \
    __device__ inline T rest_remquo##F(T x, T y)                                                                                \
    {                                                                                                                           \
        int quotient;                                                                                                           \
        return remquo##F(x, y, &quotient);                                                                                      \
    }                                                                                                                           \
    __device__ inline T quotient_remquo##F(T x, T y)                                                                            \
    {                                                                                                                           \
        int quotient;                                                                                                           \
        remquo##F(x, y, &quotient);                                                                                             \
        return (T)(quotient & 7);                                                                                               \
    }
PARTS(float, f)
PARTS(double, )
#undef PARTS
// Exponent for ldexp.
__device__ inline int clamped(double y) { return (int)fmax(-5000.0, fmin(5000.0, y)); }
