// The backward pass of a layer's normalisation: a warp a row, four values an access. The slopes of scale and offset are
// sums over all rows: warps add theirs in shared memory by turns, blocks leave partial sums, and the last block to finish,
// known by a counter, adds these in the order of the blocks, so that results do not depend on which it was.

__device__ unsigned finished;

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

extern "C" __global__ void __launch_bounds__(128) backward(const float4 *in, const float4 *slopes, const float4 *scale, float4 *out, float4 *partial, float4 *of_scale, float4 *of_offset, int rows, int fours)
{
    extern __shared__ float4 sums[]; // of the scale's slopes, then of the offset's
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int i = threadIdx.x; i < 2 * fours; i += blockDim.x)
        sums[i] = make_float4(0, 0, 0, 0);
    __syncthreads();

    int rounds = (rows + gridDim.x * warps - 1) / (gridDim.x * warps);
    for (int round = 0; round < rounds; round++) {
        int row = (round * gridDim.x + blockIdx.x) * warps + warp;
        const float4 *x = in + row * fours, *dy = slopes + row * fours;
        float mean = 0, deviation = 0, of_normal = 0, with_normal = 0, n = 4.0f * fours;
        if (row < rows) {
            for (int i = lane; i < fours; i += 32)
                mean += (x[i].x + x[i].y) + (x[i].z + x[i].w);
            mean = warp_sum(mean) / n;
            for (int i = lane; i < fours; i += 32) {
                float4 d = make_float4(x[i].x - mean, x[i].y - mean, x[i].z - mean, x[i].w - mean);
                deviation += (d.x * d.x + d.y * d.y) + (d.z * d.z + d.w * d.w);
            }
            deviation = 1.0f / sqrtf(warp_sum(deviation) / n + 1e-5f);
            for (int i = lane; i < fours; i += 32) {
                float4 g = make_float4(dy[i].x * scale[i].x, dy[i].y * scale[i].y, dy[i].z * scale[i].z, dy[i].w * scale[i].w);
                of_normal += (g.x + g.y) + (g.z + g.w);
                with_normal += (g.x * (x[i].x - mean) + g.y * (x[i].y - mean)) + (g.z * (x[i].z - mean) + g.w * (x[i].w - mean));
            }
            of_normal = warp_sum(of_normal) / n;
            with_normal = warp_sum(with_normal) * deviation / n;
            for (int i = lane; i < fours; i += 32) {
                const float *xs = (const float *)&x[i], *ds = (const float *)&dy[i], *ss = (const float *)&scale[i];
                float r[4];
                for (int k = 0; k < 4; k++)
                    r[k] = (ds[k] * ss[k] - of_normal - (xs[k] - mean) * deviation * with_normal) * deviation;
                out[row * fours + i] = make_float4(r[0], r[1], r[2], r[3]);
            }
        }
        for (int turn = 0; turn < warps; turn++) {
            if (turn == warp && row < rows)
                for (int i = lane; i < fours; i += 32) {
                    float4 a = sums[i], b = sums[fours + i], d = dy[i], v = x[i];
                    sums[i] = make_float4(a.x + d.x * ((v.x - mean) * deviation), a.y + d.y * ((v.y - mean) * deviation), a.z + d.z * ((v.z - mean) * deviation), a.w + d.w * ((v.w - mean) * deviation));
                    sums[fours + i] = make_float4(b.x + d.x, b.y + d.y, b.z + d.z, b.w + d.w);
                }
            __syncthreads();
        }
    }

    for (int i = threadIdx.x; i < 2 * fours; i += blockDim.x)
        partial[blockIdx.x * 2 * fours + i] = sums[i];
    __threadfence();
    __syncthreads();
    bool last = false;
    if (threadIdx.x == 0)
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    if (!__syncthreads_or(last))
        return;
    for (int i = threadIdx.x; i < 2 * fours; i += blockDim.x) {
        float4 sum = make_float4(0, 0, 0, 0);
        for (int b = 0; b < gridDim.x; b++) {
            float4 p = __ldcg(&partial[b * 2 * fours + i]);
            sum = make_float4(sum.x + p.x, sum.y + p.y, sum.z + p.z, sum.w + p.w);
        }
        (i < fours ? of_scale : of_offset)[i < fours ? i : i - fours] = sum;
    }
}
