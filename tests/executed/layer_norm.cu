extern "C" __global__ void layer_norm(const float *in, const float *gain, float *out, int n)
{
    __shared__ float sums[2], squares[2];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    const float *row = in + blockIdx.x * n;
    float s = 0, q = 0;
    for (int i = t; i < n; i += blockDim.x) {
        float v = row[i];
        s += v;
        q += v * v;
    }
    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_xor_sync(0xffffffff, s, d);
        q += __shfl_xor_sync(0xffffffff, q, d);
    }
    if (lane == 0) {
        sums[warp] = s;
        squares[warp] = q;
    }
    __syncthreads();
    s = sums[0] + sums[1];
    q = squares[0] + squares[1];
    float mean = s / n, scale = rsqrtf(q / n - mean * mean + 1e-5f);
    for (int i = t; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = (row[i] - mean) * scale * gain[i];
}
