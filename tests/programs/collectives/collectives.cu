// CUB's collective operations of blocks and warps, by all their algorithms.
#include <cub/cub.cuh>
#include <cub/block/block_shuffle.cuh>
using namespace cub;
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
struct Max { __device__ int operator()(int a, int b) const { return a > b ? a : b; } };
template <BlockReduceAlgorithm A> __device__ int reduced(int x, int valid) {
    using R = BlockReduce<int, 128, A>;
    __shared__ typename R::TempStorage s;
    int r = R(s).Sum(x); __syncthreads();
    r ^= R(s).Reduce(x, Max(), valid); __syncthreads();
    return r;
}
extern "C" __global__ void reduce(int *out) {
    int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128, x = hash(i) >> 8;
    int a = reduced<BLOCK_REDUCE_RAKING>(x, 77), b = reduced<BLOCK_REDUCE_WARP_REDUCTIONS>(x, 77), c = reduced<BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(x, 128);
    using D = BlockReduce<double, 128>; __shared__ typename D::TempStorage s;
    double d = D(s).Sum(x * 0.5);
    using KV = KeyValuePair<int, int>; using R = BlockReduce<KV, 128>; __shared__ typename R::TempStorage t;
    KV best = R(t).Reduce(KV(i, x), ArgMax());
    if (threadIdx.x == 0) { out[i] = a; out[n + i] = b; out[2 * n + i] = c; out[3 * n + i] = int(d); out[4 * n + i] = best.key; out[5 * n + i] = best.value; }
}
template <BlockScanAlgorithm A> __device__ void scanned(int x, int *out, int n) {
    using S = BlockScan<int, 128, A>;
    __shared__ typename S::TempStorage s;
    int v, total; S(s).InclusiveSum(x, v, total); __syncthreads(); out[0] = v; out[n] = total;
    S(s).ExclusiveScan(x, v, -5, Max()); __syncthreads(); out[2 * n] = v;
    int w[4] = {x, x + 1, x ^ 7, 3}; S(s).ExclusiveSum(w, w); __syncthreads();
    for (int k = 0; k < 4; k++) out[(3 + k) * n] = w[k];
}
extern "C" __global__ void scan(int *out) {
    int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128, x = hash(i) >> 20;
    scanned<BLOCK_SCAN_RAKING>(x, out + i, n); scanned<BLOCK_SCAN_RAKING_MEMOIZE>(x, out + i + 7 * n, n); scanned<BLOCK_SCAN_WARP_SCANS>(x, out + i + 14 * n, n);
}
extern "C" __global__ void radix(unsigned *out) {
    int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128;
    using S = BlockRadixSort<unsigned, 128, 4, int>; __shared__ typename S::TempStorage s;
    unsigned k[4]; int v[4];
    for (int j = 0; j < 4; j++) { k[j] = hash(i * 4 + j); v[j] = i * 4 + j; }
    S(s).Sort(k, v); __syncthreads();
    for (int j = 0; j < 4; j++) { out[j * n + i] = k[j]; out[(4 + j) * n + i] = v[j]; }
    using F = BlockRadixSort<float, 128, 2>; __shared__ typename F::TempStorage t;
    float f[2] = {int(hash(i)) * 1e-3f, int(hash(i + 1000)) * -1e-5f};
    F(t).SortDescendingBlockedToStriped(f, 4, 32);
    out[8 * n + i] = __float_as_uint(f[0]); out[9 * n + i] = __float_as_uint(f[1]);
    using M = BlockMergeSort<int, 128, 2>; __shared__ typename M::TempStorage m;
    int g[2] = {int(hash(i)), int(hash(i + 5))};
    M(m).Sort(g, [](int a, int b) { return a < b; });
    out[10 * n + i] = g[0]; out[11 * n + i] = g[1];
    using L = BlockRadixSort<unsigned long long, 128, 1>; __shared__ typename L::TempStorage l;
    unsigned long long q[1] = {(unsigned long long)hash(i) << 32 | hash(i + 3)};
    L(l).Sort(q); out[12 * n + i] = unsigned(q[0]); out[13 * n + i] = unsigned(q[0] >> 32);
}
template <BlockLoadAlgorithm A, BlockStoreAlgorithm B> __device__ void moved(int *in, int *out) {
    using L = BlockLoad<int, 128, 4, A>; using S = BlockStore<int, 128, 4, B>;
    __shared__ union { typename L::TempStorage l; typename S::TempStorage s; } t;
    int v[4]; L(t.l).Load(in, v); __syncthreads();
    for (int k = 0; k < 4; k++) v[k] += threadIdx.x * 4 + k;
    S(t.s).Store(out, v); __syncthreads();
}
extern "C" __global__ void moves(int *out) {
    int at = blockIdx.x * 128 * 32;
    for (int k = 0; k < 4; k++) out[at + k * 128 + threadIdx.x] = hash(at + k * 128 + threadIdx.x);
    __syncthreads();
    moved<BLOCK_LOAD_DIRECT, BLOCK_STORE_TRANSPOSE>(out + at, out + at + 512);
    moved<BLOCK_LOAD_VECTORIZE, BLOCK_STORE_WARP_TRANSPOSE>(out + at + 512, out + at + 1024);
    moved<BLOCK_LOAD_TRANSPOSE, BLOCK_STORE_STRIPED>(out + at + 1024, out + at + 1536);
    moved<BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_STORE_VECTORIZE>(out + at + 1536, out + at + 2048);
    moved<BLOCK_LOAD_STRIPED, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(out + at + 2048, out + at + 2560);
    moved<BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, BLOCK_STORE_DIRECT>(out + at + 2560, out + at + 3072);
}
extern "C" __global__ void warps(int *out) {
    int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128, x = hash(i) >> 8, w = threadIdx.x / 32;
    using R = WarpReduce<int>; __shared__ typename R::TempStorage r[4];
    out[i] = R(r[w]).Sum(x); out[n + i] = R(r[w]).TailSegmentedSum(x, (x & 7) == 0);
    using R8 = WarpReduce<int, 8>; __shared__ typename R8::TempStorage r8[16];
    int m = R8(r8[threadIdx.x / 8]).Reduce(x, Max()); if (threadIdx.x % 8 == 0) out[2 * n + i] = m;
    using S = WarpScan<int>; __shared__ typename S::TempStorage s[4];
    int a, b; S(s[w]).Scan(x, a, b, 0, Max()); out[3 * n + i] = a; out[4 * n + i] = b;
    S(s[w]).ExclusiveSum(x, a); out[5 * n + i] = a; out[6 * n + i] = S(s[w]).Broadcast(x, 3);
    using M = WarpMergeSort<int, 2, 32>; __shared__ typename M::TempStorage ms[4];
    int k[2] = {x, int(hash(x))}; M(ms[w]).Sort(k, [](int p, int q) { return p > q; }); out[7 * n + i] = k[0]; out[8 * n + i] = k[1];
    using E = WarpExchange<int, 2, 32>; __shared__ typename E::TempStorage e[4];
    E(e[w]).BlockedToStriped(k, k); out[9 * n + i] = k[0]; out[10 * n + i] = k[1];
    if (threadIdx.x % 32) out[i] = 0;
}
extern "C" __global__ void others(int *out) {
    int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128, x = hash(i) >> 28;
    __shared__ int h[16];
    using H = BlockHistogram<unsigned char, 128, 2, 16, BLOCK_HISTO_SORT>; __shared__ typename H::TempStorage hs;
    using G = BlockHistogram<unsigned char, 128, 2, 16, BLOCK_HISTO_ATOMIC>; __shared__ typename G::TempStorage gs;
    unsigned char c[2] = {(unsigned char)x, (unsigned char)(hash(i + 9) & 15)};
    H(hs).Histogram(c, h); __syncthreads(); if (threadIdx.x < 16) out[i] = h[threadIdx.x]; __syncthreads();
    G(gs).Histogram(c, h); __syncthreads(); if (threadIdx.x < 16) out[n + i] = h[threadIdx.x]; __syncthreads();
    using D = BlockDiscontinuity<int, 128>; __shared__ typename D::TempStorage ds; int v[1] = {x}, f[1], g[1];
    D(ds).FlagHeadsAndTails(f, g, v, [](int p, int q) { return p != q; }); out[2 * n + i] = f[0]; out[3 * n + i] = g[0]; __syncthreads();
    using A = BlockAdjacentDifference<int, 128>; __shared__ typename A::TempStorage as; A(as).SubtractLeft(v, f, [](int a, int b) { return a - b; }); out[4 * n + i] = f[0];
    using S = BlockShuffle<int, 128>; __shared__ typename S::TempStorage ss; int y; S(ss).Offset(x, y, 5); out[5 * n + i] = threadIdx.x < 123 ? y : 0; __syncthreads(); S(ss).Rotate(x, y, 9); out[6 * n + i] = y;
    using E = BlockExchange<int, 128, 2>; __shared__ typename E::TempStorage es; int e[2] = {x, i}; E(es).BlockedToWarpStriped(e); out[7 * n + i] = e[0]; out[8 * n + i] = e[1];
    using RD = BlockRunLengthDecode<int, 128, 1, 2>; __shared__ typename RD::TempStorage rs; int run[1] = {x}, length[1] = {1 + (x & 1)}; unsigned total; RD rl(rs, run, length, total); int dec[2]; rl.RunLengthDecode(dec, 0); out[9 * n + i] = total; if (threadIdx.x * 2 + 1 < total) { out[10 * n + i] = dec[0]; out[11 * n + i] = dec[1]; }
}
