// Transforms within a block: a cosine transform of 8 x 8 shorts in fixed point, all levels of a Haar transform in one launch,
// a Walsh-Hadamard transform with four values a thread.
__constant__ short cosines[64]; // row k: cos((2 i + 1) k pi / 16) of each i, times 2^13, and the first one over sqrt(2)

// A block of 8 x 8 threads for a tile of 8 x 8: columns, then rows; rounding after each.
extern "C" __global__ void cosine(const short *in, short *out, int pitch)
{
    __shared__ short tile[8][8], half[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    int at = (blockIdx.y * 8 + y) * pitch + blockIdx.x * 8 + x;
    tile[y][x] = in[at];
    __syncthreads();
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum += cosines[y * 8 + i] * tile[i][x];
    half[y][x] = (short)((sum + (1 << 13)) >> 14);
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum += cosines[x * 8 + i] * half[y][i];
    out[at] = (short)((sum + (1 << 13)) >> 14);
}

// A block's 2 blockDim.x values down to one: what is left of each level goes to its place of the pyramid.
extern "C" __global__ void haar(const float *in, float *details, float *mean)
{
    extern __shared__ float values[];
    int t = threadIdx.x, n = blockDim.x;
    const float *from = in + 2 * n * blockIdx.x;
    float *to = details + 2 * n * blockIdx.x;
    float a = from[2 * t], b = from[2 * t + 1];
    const float scale = 0.70710678f;
    to[n + t] = (a - b) * scale;
    values[t] = (a + b) * scale;
    for (int left = n / 2; left > 0; left /= 2) {
        __syncthreads();
        float sum = 0.0f;
        if (t < left) {
            a = values[2 * t];
            b = values[2 * t + 1];
            to[left + t] = (a - b) * scale;
            sum = (a + b) * scale;
        }
        __syncthreads();
        if (t < left)
            values[t] = sum;
    }
    if (t == 0) {
        to[0] = 0.0f;
        mean[blockIdx.x] = values[0];
    }
}

// 2^log2 values a block, a quarter as many threads: two levels a round, and one more if their number is odd.
extern "C" __global__ void walsh(float *data, int log2)
{
    extern __shared__ float values[];
    int n = 1 << log2, t = threadIdx.x;
    float *mine = data + n * blockIdx.x;
    for (int i = t; i < n; i += blockDim.x)
        values[i] = mine[i];
    int stride = n >> 2;
    for (; stride > 0; stride >>= 2) {
        __syncthreads();
        int low = t & (stride - 1), at = ((t - low) << 2) + low;
        float a = values[at], b = values[at + stride], c = values[at + 2 * stride], d = values[at + 3 * stride];
        float ac = a + c, bd = b + d, a_c = a - c, b_d = b - d;
        values[at] = ac + bd;
        values[at + stride] = ac - bd;
        values[at + 2 * stride] = a_c + b_d;
        values[at + 3 * stride] = a_c - b_d;
    }
    __syncthreads();
    if (log2 & 1) {
        for (int i = t; i < n / 2; i += blockDim.x) {
            float a = values[2 * i], b = values[2 * i + 1];
            values[2 * i] = a + b;
            values[2 * i + 1] = a - b;
        }
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x)
        mine[i] = values[i];
}
