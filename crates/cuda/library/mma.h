// Matrix products of a warp (wmma): CUDA C++ Programming Guide, "Warp Matrix Functions". Types: half, __nv_bfloat16, tf32, signed and
// unsigned char, double, with the shapes that the guide lists.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error mma.h needs compute_70 or later
#endif
namespace nvcuda {
namespace wmma {
struct matrix_a {
    static constexpr int __kind = 0;
};
struct matrix_b {
    static constexpr int __kind = 1;
};
struct accumulator {
    static constexpr int __kind = 2;
};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}
template <typename T> struct __element {
    typedef T type;
    static constexpr bool half = false;
};
template <> struct __element<__half> {
    typedef __half type;
    static constexpr bool half = true;
};
template <> struct __element<precision::tf32> {
    typedef float type;
    static constexpr bool half = false;
};
__device__ constexpr int __elements(int kind, int m, int n, int k, bool half)
{
    return kind == 2 ? m * n / 32 : half ? 16 : kind == 0 ? m * k / 32 : k * n / 32;
}
template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct alignas(8) fragment {
    static constexpr int num_elements = __elements(Use::__kind, M, N, K, __element<T>::half);
    static constexpr int num_storage_elements = num_elements;
    typename __element<T>::type x[num_elements];
};
template <typename Use, int M, int N, int K, typename T, typename Layout, typename V>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const V &value)
{
    typename __element<T>::type v = value;
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = v;
}
__device__ inline float __float_to_tf32(float v)
{
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
    return __uint_as_float(r);
}

// Registers 0 to n - 1 of r as operands, and their places in a template.
#define OUT1(T, r) "=" T(r[0])
#define OUT2(T, r) OUT1(T, r), "=" T(r[1])
#define OUT4(T, r) OUT2(T, r), "=" T(r[2]), "=" T(r[3])
#define OUT8(T, r) OUT4(T, r), "=" T(r[4]), "=" T(r[5]), "=" T(r[6]), "=" T(r[7])
#define IN1(T, r) T(r[0])
#define IN2(T, r) IN1(T, r), T(r[1])
#define IN4(T, r) IN2(T, r), T(r[2]), T(r[3])
#define IN8(T, r) IN4(T, r), T(r[4]), T(r[5]), T(r[6]), T(r[7])
#define AT1 "{%0}, [%1], %2;"
#define AT2 "{%0, %1}, [%2], %3;"
#define AT4 "{%0, %1, %2, %3}, [%4], %5;"
#define AT8 "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
#define TO1 "[%0], {%2}, %1;"
#define TO2 "[%0], {%2, %3}, %1;"
#define TO4 "[%0], {%2, %3, %4, %5}, %1;"
#define TO8 "[%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;"

// C: the letter of the operand's registers, R: their type, n: how many.
#define LOAD(USE, u, LAYOUT, l, M, N, K, T, P, t, C, R, n)                                                                      \
    __device__ inline void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT> &f, const P *p, unsigned stride)                  \
    {                                                                                                                           \
        R *r = (R *)f.x;                                                                                                        \
        asm volatile("wmma.load." u ".sync.aligned." l ".m" #M "n" #N "k" #K "." t " " AT##n                                    \
                     : OUT##n(C, r) : "l"(p), "r"(stride) : "memory");                                                          \
    }
#define LOADS(M, N, K, T, P, t, C, R, na, nb)                                                                                   \
    LOAD(matrix_a, "a", row_major, "row", M, N, K, T, P, t, C, R, na)                                                           \
    LOAD(matrix_a, "a", col_major, "col", M, N, K, T, P, t, C, R, na)                                                           \
    LOAD(matrix_b, "b", row_major, "row", M, N, K, T, P, t, C, R, nb)                                                           \
    LOAD(matrix_b, "b", col_major, "col", M, N, K, T, P, t, C, R, nb)
#define ACCUMULATOR(M, N, K, T, t, C, R, n)                                                                                     \
    __device__ inline void load_matrix_sync(                                                                                    \
        fragment<accumulator, M, N, K, T> &f, const T *p, unsigned stride, layout_t layout)                                     \
    {                                                                                                                           \
        R *r = (R *)f.x;                                                                                                        \
        if (layout == mem_row_major)                                                                                            \
            asm volatile("wmma.load.c.sync.aligned.row.m" #M "n" #N "k" #K "." t " " AT##n                                      \
                         : OUT##n(C, r) : "l"(p), "r"(stride) : "memory");                                                      \
        else                                                                                                                    \
            asm volatile("wmma.load.c.sync.aligned.col.m" #M "n" #N "k" #K "." t " " AT##n                                      \
                         : OUT##n(C, r) : "l"(p), "r"(stride) : "memory");                                                      \
    }                                                                                                                           \
    __device__ inline void store_matrix_sync(                                                                                   \
        T *p, const fragment<accumulator, M, N, K, T> &f, unsigned stride, layout_t layout)                                     \
    {                                                                                                                           \
        const R *r = (const R *)f.x;                                                                                            \
        if (layout == mem_row_major)                                                                                            \
            asm volatile("wmma.store.d.sync.aligned.row.m" #M "n" #N "k" #K "." t " " TO##n                                     \
                         :: "l"(p), "r"(stride), IN##n(C, r) : "memory");                                                       \
        else                                                                                                                    \
            asm volatile("wmma.store.d.sync.aligned.col.m" #M "n" #N "k" #K "." t " " TO##n                                     \
                         :: "l"(p), "r"(stride), IN##n(C, r) : "memory");                                                       \
    }
#define MMA(LA, la, LB, lb, M, N, K, T, TD, TC, types, CD, RD, nd, C, R, na, nb, CC, RC, TEMPLATE)                              \
    __device__ inline void mma_sync(fragment<accumulator, M, N, K, TD> &d, const fragment<matrix_a, M, N, K, T, LA> &a,         \
        const fragment<matrix_b, M, N, K, T, LB> &b, const fragment<accumulator, M, N, K, TC> &c)                               \
    {                                                                                                                           \
        RD *rd = (RD *)d.x;                                                                                                     \
        const R *ra = (const R *)a.x, *rb = (const R *)b.x;                                                                     \
        const RC *rc = (const RC *)c.x;                                                                                         \
        asm volatile("wmma.mma.sync.aligned." la "." lb ".m" #M "n" #N "k" #K "." types " " TEMPLATE                            \
                     : OUT##nd(CD, rd) : IN##na(C, ra), IN##nb(C, rb), CC(rc));                                                 \
    }
#define MMAS(...)                                                                                                               \
    MMA(row_major, "row", row_major, "row", __VA_ARGS__)                                                                        \
    MMA(row_major, "row", col_major, "col", __VA_ARGS__)                                                                        \
    MMA(col_major, "col", row_major, "row", __VA_ARGS__)                                                                        \
    MMA(col_major, "col", col_major, "col", __VA_ARGS__)
#define F8(r) IN8("f", r)
#define H4(r) IN4("r", r)
#define I8(r) IN8("r", r)
#define D2(r) IN2("d", r)
#define D8 "{%0, %1, %2, %3, %4, %5, %6, %7}, "
#define D4 "{%0, %1, %2, %3}, "

#define HALVES(M, N, K)                                                                                                         \
    LOADS(M, N, K, __half, __half, "f16", "r", unsigned, 8, 8)                                                                  \
    ACCUMULATOR(M, N, K, __half, "f16", "r", unsigned, 4)                                                                       \
    ACCUMULATOR(M, N, K, float, "f32", "f", float, 8)                                                                           \
    MMAS(M, N, K, __half, float, float, "f32.f32", "f", float, 8, "r", unsigned, 8, 8, F8, float,                               \
        D8 "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, "                                 \
           "{%24, %25, %26, %27, %28, %29, %30, %31};")                                                                         \
    MMAS(M, N, K, __half, float, __half, "f32.f16", "f", float, 8, "r", unsigned, 8, 8, H4, unsigned,                           \
        D8 "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};")           \
    MMAS(M, N, K, __half, __half, __half, "f16.f16", "r", unsigned, 4, "r", unsigned, 8, 8, H4, unsigned,                       \
        D4 "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};")               \
    MMAS(M, N, K, __half, __half, float, "f16.f32", "r", unsigned, 4, "r", unsigned, 8, 8, F8, float,                           \
        D4 "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, "                                     \
           "{%20, %21, %22, %23, %24, %25, %26, %27};")
HALVES(16, 16, 16)
HALVES(32, 8, 16)
HALVES(8, 32, 16)
#undef HALVES

// The other operands, by how many registers a and b have.
#define ABC_4_4 "{%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
#define ABC_8_2 "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
#define ABC_2_8 "{%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
#define ABC_2_2 "{%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
#define ABC_4_1 "{%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
#define ABC_1_4 "{%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
#if __CUDA_ARCH__ >= 720
#define BYTES(M, N, K, na, nb)                                                                                                  \
    LOADS(M, N, K, signed char, signed char, "s8", "r", unsigned, na, nb)                                                       \
    LOADS(M, N, K, unsigned char, unsigned char, "u8", "r", unsigned, na, nb)                                                   \
    ACCUMULATOR(M, N, K, int, "s32", "r", int, 8)                                                                               \
    MMAS(M, N, K, signed char, int, int, "s32.s8.s8.s32", "r", int, 8, "r", unsigned, na, nb, I8, int, D8 ABC_##na##_##nb)      \
    MMAS(M, N, K, unsigned char, int, int, "s32.u8.u8.s32", "r", int, 8, "r", unsigned, na, nb, I8, int, D8 ABC_##na##_##nb)
BYTES(16, 16, 16, 2, 2)
BYTES(32, 8, 16, 4, 1)
BYTES(8, 32, 16, 1, 4)
#undef BYTES
#endif
#if __CUDA_ARCH__ >= 800
#define BFLOATS(M, N, K, na, nb)                                                                                                \
    LOADS(M, N, K, __nv_bfloat16, __nv_bfloat16, "bf16", "r", unsigned, na, nb)                                                 \
    MMAS(M, N, K, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", "f", float, 8, "r", unsigned, na, nb, F8, float,            \
        D8 ABC_##na##_##nb)
BFLOATS(16, 16, 16, 4, 4)
BFLOATS(32, 8, 16, 8, 2)
BFLOATS(8, 32, 16, 2, 8)
#undef BFLOATS
LOADS(16, 16, 8, precision::tf32, float, "tf32", "r", unsigned, 4, 4)
ACCUMULATOR(16, 16, 8, float, "f32", "f", float, 8)
MMAS(16, 16, 8, precision::tf32, float, float, "f32.tf32.tf32.f32", "f", float, 8, "r", unsigned, 4, 4, F8, float, D8 ABC_4_4)
LOADS(8, 8, 4, double, double, "f64", "d", double, 1, 1)
ACCUMULATOR(8, 8, 4, double, "f64", "d", double, 2)
MMAS(8, 8, 4, double, double, double, "f64.f64.f64.f64", "d", double, 2, "d", double, 1, 1, D2, double,
    "{%0, %1}, {%2}, {%3}, {%4, %5};")
#endif
#undef OUT1
#undef OUT2
#undef OUT4
#undef OUT8
#undef IN1
#undef IN2
#undef IN4
#undef IN8
#undef AT1
#undef AT2
#undef AT4
#undef AT8
#undef TO1
#undef TO2
#undef TO4
#undef TO8
#undef LOAD
#undef LOADS
#undef ACCUMULATOR
#undef MMA
#undef MMAS
#undef F8
#undef H4
#undef I8
#undef D2
#undef D8
#undef D4
#undef ABC_4_4
#undef ABC_8_2
#undef ABC_2_8
#undef ABC_2_2
#undef ABC_4_1
#undef ABC_1_4
}
}
