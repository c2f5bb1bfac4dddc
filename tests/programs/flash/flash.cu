// Attention with the products on tensor cores: a warp holds 16 queries, walks over keys and values in tiles of 32 that are
// copied ahead into the other of two buffers, and keeps the softmax's running greatest score and sum for each row. The
// scores' accumulators become, packed to halves, the next product's left operand without leaving registers.

#include <cuda_fp16.h>

#define WIDTH 64 // of a head
#define TILE 32  // keys at a time
#define PITCH 72 // halves from row to row in shared memory, so that ldmatrix meets no bank twice

__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void copy_tile(__half (*to)[PITCH], const __half *from, int rows)
{
    for (int i = threadIdx.x; i < TILE * WIDTH / 8; i += blockDim.x) {
        int row = i / (WIDTH / 8), column = i % (WIDTH / 8) * 8, bytes = row < rows ? 16 : 0; // the rest is zeros
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address(&to[row][column])), "l"(from + (row < rows ? row : 0) * WIDTH + column), "r"(bytes));
    }
}

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned pack(float low, float high)
{
    __half2 h = __floats2half2_rn(low, high);
    return *(unsigned *)&h;
}

// Scores of a warp's 16 queries with 32 keys, scaled to powers of two.
__device__ void score(float (&s)[TILE / 8][4], const unsigned (&q)[WIDTH / 16][4], const __half (*keys)[PITCH], float scale)
{
    int lane = threadIdx.x & 31;
#pragma unroll
    for (int n = 0; n < TILE / 8; n++) {
        s[n][0] = s[n][1] = s[n][2] = s[n][3] = 0.0f;
#pragma unroll
        for (int k = 0; k < WIDTH / 32; k++) { // four matrices: 8 keys by 32 places
            unsigned b[4];
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]) : "r"(address(&keys[n * 8 + (lane & 7)][k * 32 + lane / 8 * 8])) : "memory");
            multiply(s[n], q[2 * k], b[0], b[1]);
            multiply(s[n], q[2 * k + 1], b[2], b[3]);
        }
        for (int i = 0; i < 4; i++)
            s[n][i] *= scale;
    }
}

// What the softmax does with a tile's scores: they become weights, and what was summed before is rescaled.
__device__ void weigh(float (&s)[TILE / 8][4], float (&o)[WIDTH / 8][4], float (&greatest)[2], float (&sum)[2])
{
#pragma unroll
    for (int half = 0; half < 2; half++) { // rows lane / 4 and lane / 4 + 8
        float now = greatest[half], of_tile = 0.0f;
        for (int n = 0; n < TILE / 8; n++)
            now = fmaxf(now, fmaxf(s[n][2 * half], s[n][2 * half + 1]));
        now = fmaxf(now, __shfl_xor_sync(~0u, now, 1));
        now = fmaxf(now, __shfl_xor_sync(~0u, now, 2));
        float rescale = exp2f(greatest[half] - now);
        for (int n = 0; n < TILE / 8; n++)
            for (int i = 2 * half; i < 2 * half + 2; i++) {
                s[n][i] = exp2f(s[n][i] - now);
                of_tile += s[n][i];
            }
        for (int n = 0; n < WIDTH / 8; n++) {
            o[n][2 * half] *= rescale;
            o[n][2 * half + 1] *= rescale;
        }
        sum[half] = sum[half] * rescale + of_tile;
        greatest[half] = now;
    }
}

extern "C" __global__ void __launch_bounds__(64) attend(const __half *q, const __half *k, const __half *v, float *out, int queries, int keys, int causal)
{
    __shared__ __align__(16) __half tiles[2][2][TILE][PITCH]; // buffer, keys or values
    int lane = threadIdx.x & 31, first = blockIdx.x * 32 + threadIdx.x / 32 * 16;
    int row = first + lane / 4, column = lane % 4 * 2;
    q += (size_t)blockIdx.y * queries * WIDTH;
    k += (size_t)blockIdx.y * keys * WIDTH;
    v += (size_t)blockIdx.y * keys * WIDTH;
    out += (size_t)blockIdx.y * queries * WIDTH;

    unsigned mine[WIDTH / 16][4];
#pragma unroll
    for (int i = 0; i < WIDTH / 16; i++)
        for (int part = 0; part < 4; part++) {
            int r = row + part % 2 * 8;
            mine[i][part] = r < queries ? *(const unsigned *)&q[r * WIDTH + i * 16 + part / 2 * 8 + column] : 0;
        }
    float o[WIDTH / 8][4] = {}, greatest[2] = {-1e30f, -1e30f}, sum[2] = {};
    int count = (keys + TILE - 1) / TILE;
    copy_tile(tiles[0][0], k, keys);
    copy_tile(tiles[0][1], v, keys);
    asm volatile("cp.async.commit_group;");
    for (int t = 0; t < count; t++) {
        if (t + 1 < count) {
            copy_tile(tiles[(t + 1) & 1][0], k + (t + 1) * TILE * WIDTH, keys - (t + 1) * TILE);
            copy_tile(tiles[(t + 1) & 1][1], v + (t + 1) * TILE * WIDTH, keys - (t + 1) * TILE);
        }
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        float s[TILE / 8][4];
        score(s, mine, tiles[t & 1][0], 0.125f * 1.44269504f);
#pragma unroll
        for (int n = 0; n < TILE / 8; n++)
            for (int i = 0; i < 4; i++) {
                int key = t * TILE + n * 8 + column + i % 2, query = row + i / 2 * 8;
                if (key >= keys || causal && key > query)
                    s[n][i] = -1e30f;
            }
        weigh(s, o, greatest, sum);
#pragma unroll
        for (int i = 0; i < TILE / 16; i++) {
            unsigned p[4] = {pack(s[2 * i][0], s[2 * i][1]), pack(s[2 * i][2], s[2 * i][3]), pack(s[2 * i + 1][0], s[2 * i + 1][1]), pack(s[2 * i + 1][2], s[2 * i + 1][3])};
#pragma unroll
            for (int n = 0; n < WIDTH / 16; n++) {
                unsigned b[4];
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]) : "r"(address(&tiles[t & 1][1][i * 16 + (lane & 15)][n * 16 + lane / 16 * 8])) : "memory");
                multiply(o[2 * n], p, b[0], b[1]);
                multiply(o[2 * n + 1], p, b[2], b[3]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
        sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
        sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
        if (row + 8 * half < queries)
            for (int n = 0; n < WIDTH / 8; n++)
                *(float2 *)&out[(row + 8 * half) * WIDTH + n * 8 + column] = make_float2(o[n][2 * half] / sum[half], o[n][2 * half + 1] / sum[half]);
    }
}
