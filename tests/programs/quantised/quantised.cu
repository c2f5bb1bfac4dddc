// Products of a matrix of 4-bit numbers with vectors: blocks of 32 weights share a scale and an offset in half precision,
// the vectors are rounded to blocks of 8-bit integers, and dot products take four bytes an instruction.

#include <cuda_fp16.h>

struct Weights { // 20 bytes: nibble i of `low` half is weight i, of `high` half weight i + 16
    __half2 scale; // x: of a step, y: of zero
    unsigned nibbles[4];
};
struct Activations { // 36 bytes
    __half2 scale; // x: of a step, y: times the sum of all 32
    signed char bytes[32];
};

// A warp rounds one block of 32 values.
extern "C" __global__ void round_vector(const float *x, Activations *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    float v = i < n ? x[i] : 0.0f, largest = fabsf(v);
    for (int d = 16; d > 0; d /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
    float step = largest / 127.0f;
    int rounded = largest == 0.0f ? 0 : __float2int_rn(v / step), sum = rounded;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (i / 32 >= (n + 31) / 32)
        return;
    Activations *block = &out[i / 32];
    block->bytes[lane] = (signed char)rounded;
    if (lane == 0)
        block->scale = __floats2half2_rn(step, step * sum);
}

// A thread rounds one block of 32 weights between their least and their greatest.
extern "C" __global__ void round_weights(const float *w, Weights *out, int blocks)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks)
        return;
    float least = w[b * 32], greatest = least;
    for (int i = 1; i < 32; i++) {
        least = fminf(least, w[b * 32 + i]);
        greatest = fmaxf(greatest, w[b * 32 + i]);
    }
    float step = (greatest - least) / 15.0f, inverse = step > 0.0f ? 1.0f / step : 0.0f;
    Weights block;
    block.scale = __floats2half2_rn(step, least);
    for (int word = 0; word < 4; word++) {
        unsigned packed = 0;
        for (int k = 0; k < 4; k++) {
            int low = __float2int_rn((w[b * 32 + word * 4 + k] - least) * inverse);
            int high = __float2int_rn((w[b * 32 + word * 4 + k + 16] - least) * inverse);
            packed |= (unsigned)min(low, 15) << (8 * k) | (unsigned)min(high, 15) << (8 * k + 4);
        }
        block.nibbles[word] = packed;
    }
    out[b] = block;
}

// Half a block's share of a dot product: 16 weights, from words `at` and `at` + 1.
__device__ float share(const Weights &w, const Activations &a, int at)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int packed = w.nibbles[at + i];
        const int *bytes = (const int *)a.bytes;
        sum = __dp4a(packed & 0x0f0f0f0f, bytes[at + i], sum);
        sum = __dp4a((packed >> 4) & 0x0f0f0f0f, bytes[at + i + 4], sum);
    }
    float2 scale = __half22float2(w.scale), of = __half22float2(a.scale);
    return scale.x * of.x * sum + scale.y * of.y * 0.5f;
}

// A block of four warps takes one row of the matrix for COLUMNS vectors.
template <int COLUMNS>
__device__ void row_product(const Weights *w, const Activations *x, float *y, int blocks, int rows)
{
    __shared__ float parts[3][COLUMNS][32];
    int row = blockIdx.x, thread = threadIdx.y * 32 + threadIdx.x;
    float sums[COLUMNS] = {};
    for (int b = thread / 2; b < blocks; b += 64)
#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            sums[c] += share(w[(size_t)row * blocks + b], x[(size_t)c * blocks + b], thread % 2 * 2);
    if (threadIdx.y > 0)
        for (int c = 0; c < COLUMNS; c++)
            parts[threadIdx.y - 1][c][threadIdx.x] = sums[c];
    __syncthreads();
    if (threadIdx.y > 0)
        return;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        for (int w = 0; w < 3; w++)
            sums[c] += parts[w][c][threadIdx.x];
        for (int d = 16; d > 0; d /= 2)
            sums[c] += __shfl_xor_sync(~0u, sums[c], d);
        if (threadIdx.x == c)
            y[c * rows + row] = sums[c];
    }
}

extern "C" __global__ void __launch_bounds__(128) product_1(const Weights *w, const Activations *x, float *y, int blocks, int rows) { row_product<1>(w, x, y, blocks, rows); }
extern "C" __global__ void __launch_bounds__(128) product_3(const Weights *w, const Activations *x, float *y, int blocks, int rows) { row_product<3>(w, x, y, blocks, rows); }
