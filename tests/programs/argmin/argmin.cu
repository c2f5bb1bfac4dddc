// Where the least is: 64-bit keys of value and place, by shuffles and one atomic; and k-means, whose steps are the same.
#define CENTRES 5

__device__ unsigned long long key(float v, unsigned at)
{
    unsigned bits = __float_as_uint(v);
    bits ^= bits >> 31 ? 0xffffffffu : 0x80000000u; // orders floats like unsigned integers
    return (unsigned long long)bits << 32 | at;
}

extern "C" __global__ void least(const float *in, unsigned long long *best, int n)
{
    unsigned long long mine = ~0ull;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine = min(mine, key(in[i], i));
    for (int d = 16; d > 0; d >>= 1)
        mine = min(mine, __shfl_xor_sync(~0u, mine, d));
    if ((threadIdx.x & 31) == 0)
        atomicMin(best, mine);
}

// Sums in fixed point: integers, so exact in any order.
extern "C" __global__ void assign(const float2 *points, const float *centres, unsigned char *cluster, long long *sums, int *counts, int n)
{
    __shared__ float near[CENTRES][2];
    if (threadIdx.x < 2 * CENTRES)
        near[threadIdx.x / 2][threadIdx.x % 2] = centres[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 p = points[i];
    unsigned long long best = ~0ull;
    for (int c = 0; c < CENTRES; c++) {
        float dx = p.x - near[c][0], dy = p.y - near[c][1];
        best = min(best, key(dx * dx + dy * dy, c));
    }
    int c = (int)best;
    cluster[i] = c;
    atomicAdd((unsigned long long *)&sums[2 * c], (unsigned long long)(long long)(p.x * 65536));
    atomicAdd((unsigned long long *)&sums[2 * c + 1], (unsigned long long)(long long)(p.y * 65536));
    atomicAdd(&counts[c], 1);
}

extern "C" __global__ void move(float *centres, long long *sums, int *counts)
{
    int c = threadIdx.x;
    if (c < CENTRES && counts[c] > 0) {
        centres[2 * c] = (float)(sums[2 * c] / counts[c]) / 65536;
        centres[2 * c + 1] = (float)(sums[2 * c + 1] / counts[c]) / 65536;
        sums[2 * c] = sums[2 * c + 1] = counts[c] = 0;
    }
}
