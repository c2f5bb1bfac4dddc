// nvcc's kernels see the macros of the host's compiler.
#if !defined(__linux__) || !defined(__unix__) || !defined(__x86_64__) || __GNUC__ < 9
#error "not gcc on Linux"
#endif
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "not little-endian"
#endif
#ifdef __GNUC__
#define ALWAYS_INLINE __inline__ __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#endif
__device__ ALWAYS_INLINE int f(int x) { return LIKELY(x) ? 1 : 2; }
__global__ void k(int *p) { p[0] = f(p[1]); }
