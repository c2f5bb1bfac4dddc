// Tiles of more than a warp: ranks, barriers, exchanges, reductions and scans; parts of them, and tiles that are made again.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

constexpr int VALUES = 16;

__device__ float number(unsigned thread) { return 1.0f / (1 + thread * 37 % 101); }

template <unsigned Size, typename Tile> __device__ void fill(const Tile &tile, double *out, unsigned thread)
{
    static_assert(Tile::num_threads() == Size && Tile::size() == Size);
    __shared__ int words[1024];
    out[0] = tile.thread_rank();
    out[1] = tile.meta_group_rank();
    out[2] = tile.meta_group_size();
    // What another warp of the tile has written is there after a barrier of the tile.
    for (int turn = 0; turn < 3; turn++) {
        words[thread] = 10 * thread + turn;
        tile.sync();
        out[3] = words[thread ^ (Size / 2)];
        cg::sync(tile);
    }
    out[4] = tile.shfl(thread * 3, 33);
    out[5] = tile.shfl(number(thread), Size - 1);
    out[6] = tile.any(thread == Size + 5);
    out[7] = tile.all(thread != Size + 5);
    out[8] = cg::reduce(tile, int(thread), cg::plus<int>());
    out[9] = cg::reduce(tile, number(thread), cg::plus<float>());
    out[10] = cg::reduce(tile, 1.0 / (thread + 1), cg::plus<double>());
    out[11] = cg::reduce(tile, int(thread * 61 % 509), cg::greater<int>());
    out[12] = cg::reduce(tile, int(thread), [](int a, int b) { return a % 97 > b % 97 || (a % 97 == b % 97 && a > b) ? a : b; });
    out[13] = cg::inclusive_scan(tile, number(thread));
    out[14] = cg::exclusive_scan(tile, int(thread), cg::plus<int>());
    out[15] = cg::exclusive_scan(tile, long(thread % 7), cg::greater<long>());
}

template <unsigned Size> __global__ void direct(double *out)
{
    __shared__ cg::block_tile_memory<1024> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<Size>(block);
    fill<Size>(tile, out + block.thread_rank() * VALUES, block.thread_rank());
}

// Parts of parts, made again in a loop; as a parameter that does not say of what it is a part.
template <unsigned Size> __device__ int first(cg::thread_block_tile<Size> tile, int value) { return tile.shfl(value, 0); }
template <unsigned Outer, unsigned Size> __global__ void nested(double *out)
{
    auto block = cg::this_thread_block();
    auto outer = cg::tiled_partition<Outer>(block);
    auto inner = cg::tiled_partition<Size>(outer);
    fill<Size>(inner, out + block.thread_rank() * VALUES, block.thread_rank());
    for (int turn = 0; turn < 3; turn++) {
        auto part = cg::tiled_partition<Size>(outer);
        out[block.thread_rank() * VALUES + 4 + turn] = first<Size>(part, block.thread_rank() + turn);
        auto warp = cg::tiled_partition<32>(part);
        out[block.thread_rank() * VALUES + 7 + turn] = warp.shfl(warp.meta_group_rank() * 100 + warp.meta_group_size(), 0);
    }
}

void show(const char *name, void (*kernel)(double *), int threads)
{
    double *out;
    cudaMallocManaged(&out, threads * VALUES * sizeof(double));
    memset(out, 0, threads * VALUES * sizeof(double));
    kernel<<<1, threads>>>(out);
    printf("%s %d %s\n", name, threads, cudaGetErrorString(cudaDeviceSynchronize()));
    for (int at = 0; at < VALUES; at++) {
        double sum = 0, weighted = 0;
        for (int i = 0; i < threads; i++) {
            sum += out[i * VALUES + at];
            weighted += out[i * VALUES + at] * (i % 13);
        }
        printf(" %.17g %.17g %.17g %.17g\n", out[at], out[(threads - 1) * VALUES + at], sum, weighted);
    }
    cudaFree(out);
}

int main()
{
    show("64", direct<64>, 1024);
    show("64", direct<64>, 128);
    show("128", direct<128>, 256);
    show("256", direct<256>, 1024);
    show("512", direct<512>, 512);
    show("512", direct<512>, 1024);
    show("256, 64", nested<256, 64>, 512);
    show("512, 128", nested<512, 128>, 1024);
}
