// Matrix products of tiles by a warp: halves with sums in single precision, and bytes with sums in integers. All values
// are small whole numbers, so every sum is exact.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void halves(float *out, int k)
{
    __shared__ __align__(32) half a[16 * 16], b[16 * 16];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.5f);
    for (int step = 0; step < k; step++) {
        for (int i = threadIdx.x; i < 256; i += 32) {
            a[i] = __int2half_rn((i * 7 + step) % 11 - 5);
            b[i] = __int2half_rn((i * 5 + step * 3) % 7 - 3);
        }
        __syncwarp();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
        wmma::load_matrix_sync(left, a, 16);
        wmma::load_matrix_sync(right, b, 16);
        wmma::mma_sync(sum, left, right, sum);
        __syncwarp();
    }
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

// The instructions themselves: ldmatrix and mma.
extern "C" __global__ void by_hand(float *out, int *whole)
{
    __shared__ __align__(16) half a[16][8], b[8][8];
    int lane = threadIdx.x;
    for (int i = lane; i < 128; i += 32)
        a[i / 8][i % 8] = __int2half_rn(i % 13 - 6);
    for (int i = lane; i < 64; i += 32)
        b[i / 8][i % 8] = __int2half_rn(i % 5 - 2);
    __syncwarp();
    unsigned left[2], right;
    unsigned from = (unsigned)__cvta_generic_to_shared(a[lane % 16]), rows = (unsigned)__cvta_generic_to_shared(b[lane % 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(left[0]), "=r"(left[1]) : "r"(from) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(right) : "r"(rows) : "memory");
    float c[4] = {1, 2, 3, 4};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(left[0]), "r"(left[1]), "r"(right));
    for (int k = 0; k < 4; k++)
        out[(lane / 4 + k / 2 * 8) * 8 + lane % 4 * 2 + k % 2] = c[k];
    int d[2] = {lane, -lane};
    unsigned bytes = 0x01fe0300u + lane * 0x00010001u, more = 0xff02017fu - lane;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(d[0]), "+r"(d[1]) : "r"(bytes), "r"(more));
    whole[2 * lane] = d[0];
    whole[2 * lane + 1] = d[1];
}
