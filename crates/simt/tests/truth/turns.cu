// Warps that make one memory access again and again, for the cycles that a multiprocessor takes for it in the long run, and
// the program that times them.
//
//     turns FILE WARPS BYTES
//
// FILE: 64-bit integers; for each pattern the number of its operation, the bytes by which each warp's access lies behind the
// one of the warp before, then 32 offsets of lanes (negative: predicated off) and 32 of the second access (of operations
// that have two). Offsets into global memory are below BYTES, a power of two. Each block has a multiprocessor to itself and
// a pattern, which all its WARPS repeat. Prints the cycles an access, or a pair, one line a pattern: the median of five
// runs, of each the difference of a long and a short loop. `turns --list` prints the operations' names in order.
// scripts/turns writes the file and reads the cycles.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
// Accesses of a round, and rounds of the two loops.
static const int K = 8, SHORT = 8, LONG = 40;
// Integers of a pattern.
static const int WORDS = 66;
__constant__ u32 table[4096];

struct R1 { u32 a = 0; };
struct R2 { u32 a = 0, b = 0; };
struct R4 { u32 a = 0, b = 0, c = 0, d = 0; };
__device__ u32 use(R1 r) { return r.a; }
__device__ u32 use(R2 r) { return r.a ^ r.b; }
__device__ u32 use(R4 r) { return r.a ^ r.b ^ r.c ^ r.d; }

// Every access has a predicate, whether the lane's offset is there.
#define IF "{.reg .pred p; setp.ge.s32 p, "
#define LOAD1(name, type, ins)                                                                                        \
    struct name { using R = R1; static __device__ void go(R &r, type p, int o) {                                      \
        asm volatile(IF "%2, 0; @p ld." ins " %0, [%1];}" : "+r"(r.a) : "l"((u64)p), "r"(o)); } };
#define LOAD2(name, ins)                                                                                              \
    struct name { using R = R2; static __device__ void go(R &r, u64 p, int o) {                                       \
        asm volatile(IF "%3, 0; @p ld." ins " {%0,%1}, [%2];}" : "+r"(r.a), "+r"(r.b) : "l"(p), "r"(o)); } };
#define LOAD4(name, ins)                                                                                              \
    struct name { using R = R4; static __device__ void go(R &r, u64 p, int o) {                                       \
        asm volatile(IF "%5, 0; @p ld." ins " {%0,%1,%2,%3}, [%4];}"                                                  \
                     : "+r"(r.a), "+r"(r.b), "+r"(r.c), "+r"(r.d) : "l"(p), "r"(o)); } };
#define STORE(name, T, ins, values, ...)                                                                              \
    struct name { using R = T; static __device__ void go(R &r, u64 p, int o) {                                        \
        asm volatile(IF "%1, 0; @p st." ins " [%0], " values ";}" :: "l"(p), "r"(o), __VA_ARGS__ : "memory"); } };
LOAD1(ld_global_8, u64, "global.u8")
LOAD1(ld_global_16, u64, "global.u16")
LOAD1(ld_global_32, u64, "global.u32")
LOAD2(ld_global_64, "global.v2.u32")
LOAD4(ld_global_128, "global.v4.u32")
LOAD1(ld_global_nc_32, u64, "global.nc.u32")
LOAD4(ld_global_nc_128, "global.nc.v4.u32")
LOAD1(ld_generic_32, u64, "u32")
LOAD4(ld_generic_128, "v4.u32")
STORE(st_global_8, R1, "global.u8", "%2", "r"(r.a))
STORE(st_global_32, R1, "global.u32", "%2", "r"(r.a))
STORE(st_global_64, R2, "global.v2.u32", "{%2,%3}", "r"(r.a), "r"(r.b))
STORE(st_global_128, R4, "global.v4.u32", "{%2,%3,%4,%5}", "r"(r.a), "r"(r.b), "r"(r.c), "r"(r.d))
LOAD1(ld_const_32, u64, "const.u32")
LOAD1(ld_shared_32, u64, "shared.u32")
LOAD1(ld_local_32, u64, "local.u32")
LOAD4(ld_local_128, "local.v4.u32")
struct nothing { using R = R1; static __device__ void go(R &, u64, int) {} };

enum Space { GLOBAL, CONST, SHARED, LOCAL };

template <Space S> __device__ u64 base(char *buf, u32 *words, u32 *mine) {
    if (S == CONST) { u64 a; asm("mov.u64 %0, table;" : "=l"(a)); return a; }
    if (S == SHARED) return __cvta_generic_to_shared(words);
    if (S == LOCAL) return __cvta_generic_to_local(mine);
    return (u64)buf;
}

// `zero` is 0, which the compiler does not know: the addresses of a round are alike and it keeps all accesses.
template <class A, Space S, class B, Space T>
__global__ void __launch_bounds__(512) turns(const i64 *offs, char *buf, i64 *cycles, u32 *out, u64 zero) {
    __shared__ u32 words[T == SHARED || S == SHARED ? 8192 : 1];
    u32 mine[S == LOCAL ? 256 : 1];
    if (S == LOCAL) asm volatile("" :: "l"(mine) : "memory");
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const i64 *of = offs + (u64)blockIdx.x * WORDS;
    i64 far[2] = {of[2 + lane], of[34 + lane]};
    int on[2] = {far[0] < 0 ? -1 : 0, far[1] < 0 ? -1 : 0};
    u64 p[K], q[K];
    for (int k = 0; k < K; k++) {
        p[k] = base<S>(buf, words, mine) + max(far[0], 0ll) + of[1] * warp + k * zero;
        q[k] = base<T>(buf, words, mine) + max(far[1], 0ll) + k * zero;
    }
    typename A::R a[K];
    typename B::R b[K];
    i64 times[4];
    // The first two warm up.
    for (int n = 0; n < 4; n++) {
        __syncthreads();
        i64 start = clock64();
        int rounds = n % 2 == 0 ? SHORT : LONG;
#pragma unroll 1
        for (int i = 0; i < rounds; i++) {
#pragma unroll
            for (int k = 0; k < K; k++) {
                A::go(a[k], p[k], on[0]);
                B::go(b[k], q[k], on[1]);
            }
            __syncwarp();
        }
        u32 x = 0;
        for (int k = 0; k < K; k++) x ^= use(a[k]) ^ use(b[k]);
        if (x == 0x12345) out[threadIdx.x] = x;
        __syncthreads();
        times[n] = clock64() - start;
    }
    if (threadIdx.x == 0) cycles[blockIdx.x] = times[3] - times[2];
}

typedef void (*Kernel)(const i64 *, char *, i64 *, u32 *, u64);
#define N(name, space) {#name, turns<name, space, nothing, GLOBAL>},
#define M(name, a, b, space) {name, turns<a, GLOBAL, b, space>},
static const struct { const char *name; Kernel kernel; } KERNELS[] = {
    N(ld_global_8, GLOBAL) N(ld_global_16, GLOBAL) N(ld_global_32, GLOBAL) N(ld_global_64, GLOBAL) N(ld_global_128, GLOBAL)
    N(ld_global_nc_32, GLOBAL) N(ld_global_nc_128, GLOBAL) N(ld_generic_32, GLOBAL) N(ld_generic_128, GLOBAL)
    N(st_global_8, GLOBAL) N(st_global_32, GLOBAL) N(st_global_64, GLOBAL) N(st_global_128, GLOBAL)
    N(ld_const_32, CONST) N(ld_shared_32, SHARED) N(ld_local_32, LOCAL) N(ld_local_128, LOCAL)
    M("two_32_32", ld_global_32, ld_global_32, GLOBAL) M("two_32_128", ld_global_32, ld_global_128, GLOBAL)
    M("two_32_shared", ld_global_32, ld_shared_32, SHARED) M("two_128_shared", ld_global_128, ld_shared_32, SHARED)
    M("two_32_const", ld_global_32, ld_const_32, CONST) M("two_32_store", ld_global_32, st_global_32, GLOBAL)
};
static const int COUNT = sizeof(KERNELS) / sizeof(KERNELS[0]);

static void check(cudaError_t error) {
    if (error != cudaSuccess) { fprintf(stderr, "turns: %s\n", cudaGetErrorString(error)); exit(1); }
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (int i = 0; i < COUNT; i++) puts(KERNELS[i].name);
        return 0;
    }
    if (argc != 4) { fprintf(stderr, "usage: turns FILE WARPS BYTES | turns --list\n"); return 2; }
    std::vector<i64> words;
    FILE *file = fopen(argv[1], "rb");
    if (!file) { perror(argv[1]); return 1; }
    i64 word;
    while (fread(&word, 8, 1, file) == 1) words.push_back(word);
    fclose(file);
    int warps = atoi(argv[2]), chip;
    u64 bytes = strtoull(argv[3], 0, 10), patterns = words.size() / WORDS;
    check(cudaDeviceGetAttribute(&chip, cudaDevAttrMultiProcessorCount, 0));
    i64 *offs, *cycles;
    char *buf;
    u32 *out;
    check(cudaMalloc(&offs, chip * WORDS * 8));
    // Aligned to its size, so that the offsets are the addresses' low bits.
    check(cudaMalloc(&buf, 2 * bytes));
    buf = (char *)(((u64)buf + bytes - 1) / bytes * bytes);
    check(cudaMalloc(&cycles, chip * 8));
    check(cudaMalloc(&out, 4096));
    std::vector<i64> got(chip);
    for (u64 first = 0; first < patterns;) {
        i64 op = words[first * WORDS];
        if (op < 0 || op >= COUNT) { fprintf(stderr, "turns: %s has no operation %lld\n", argv[1], op); return 1; }
        // Stores go to L2: few multiprocessors at a time, which do not fill it.
        bool stores = strstr(KERNELS[op].name, "st_") || strstr(KERNELS[op].name, "_store");
        u64 end = first, most = stores ? 4 : chip;
        while (end < patterns && end - first < most && words[end * WORDS] == op) end++;
        check(cudaMemcpy(offs, &words[first * WORDS], (end - first) * WORDS * 8, cudaMemcpyHostToDevice));
        std::vector<std::vector<double>> found(end - first);
        for (int n = 0; n < 5; n++) {
            KERNELS[op].kernel<<<end - first, 32 * warps>>>(offs, buf, cycles, out, 0);
            check(cudaGetLastError());
            check(cudaDeviceSynchronize());
            check(cudaMemcpy(got.data(), cycles, chip * 8, cudaMemcpyDeviceToHost));
            for (u64 i = 0; i < end - first; i++) found[i].push_back(got[i] / (double)((LONG - SHORT) * K * warps));
        }
        for (auto &times : found) { std::sort(times.begin(), times.end()); printf("%.3f\n", times[2]); }
        first = end;
    }
}
