// Cooperative groups: tiles of 1 to 32, partitions, reductions and scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
template <int N> __device__ void tile(int *out, int n, int x) {
    auto block = cg::this_thread_block(); auto t = cg::tiled_partition<N>(block);
    out[0] = cg::reduce(t, x, cg::plus<int>()); out[n] = cg::inclusive_scan(t, x, cg::greater<int>()); out[2 * n] = cg::exclusive_scan(t, unsigned(x), cg::bit_xor<unsigned>());
    out[3 * n] = t.shfl_xor(x, N / 2) + t.meta_group_rank() * 1000 + t.thread_rank(); out[4 * n] = t.any(x & 1) + 2 * t.all(x & 3) + 4 * t.ballot(x & 2);
}
extern "C" __global__ void tiles(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, x = hash(i) >> 12;
    tile<1>(out + i, n, x); tile<2>(out + i + 5 * n, n, x); tile<4>(out + i + 10 * n, n, x); tile<8>(out + i + 15 * n, n, x); tile<16>(out + i + 20 * n, n, x); tile<32>(out + i + 25 * n, n, x);
}
extern "C" __global__ void parts(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, x = hash(i) >> 12;
    auto block = cg::this_thread_block(); auto w = cg::tiled_partition<32>(block);
    auto l = cg::labeled_partition(w, x & 3); out[i] = l.size(); out[n + i] = l.thread_rank(); out[2 * n + i] = cg::reduce(l, x, cg::plus<int>()); out[3 * n + i] = cg::reduce(l, float(x), cg::less<float>());
    auto b = cg::binary_partition(w, x & 1); out[4 * n + i] = b.size(); out[5 * n + i] = cg::inclusive_scan(b, x); out[6 * n + i] = b.shfl(x, 0);
    if (x & 4) { auto c = cg::coalesced_threads(); out[7 * n + i] = c.size(); out[8 * n + i] = cg::reduce(c, unsigned(x), cg::bit_or<unsigned>()); out[9 * n + i] = c.shfl_down(x, 1); out[10 * n + i] = c.match_any(x & 1); auto t = cg::tiled_partition(c, 4); out[11 * n + i] = t.size(); }
    out[12 * n + i] = cg::reduce(w, (long long)x << 20, cg::plus<long long>()) >> 20; out[13 * n + i] = cg::reduce(w, x * 0.5, cg::greater<double>());
    auto r = cg::tiled_partition(block, 8); r.sync(); out[14 * n + i] = r.thread_rank();
    cg::invoke_one(w, [&] { out[15 * n + i] = 1; });
    block.sync(); out[16 * n + i] = block.group_index().x + block.dim_threads().x;
}
extern "C" __global__ void wide(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, x = hash(i) >> 12;
    __shared__ cg::block_tile_memory<256> memory; auto block = cg::this_thread_block(memory);
    auto a = cg::tiled_partition<64>(block); auto b = cg::tiled_partition<128>(block); auto c = cg::tiled_partition<256>(block);
    out[i] = cg::reduce(a, x, cg::plus<int>()); out[n + i] = cg::inclusive_scan(b, x, cg::plus<int>()); out[2 * n + i] = cg::reduce(c, x, cg::less<int>()); out[3 * n + i] = b.shfl(x, 70); out[4 * n + i] = a.any(x < 100); a.sync(); out[5 * n + i] = c.meta_group_size() * 100 + a.meta_group_rank();
}
