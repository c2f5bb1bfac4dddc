template <int BLOCK> __device__ void sum_tree(float *data, int t)
{
    if (BLOCK >= 512) { if (t < 256) data[t] += data[t + 256]; __syncthreads(); }
    if (BLOCK >= 256) { if (t < 128) data[t] += data[t + 128]; __syncthreads(); }
    if (BLOCK >= 128) { if (t < 64) data[t] += data[t + 64]; __syncthreads(); }
    if (t < 32) {
        float v = data[t] + data[t + 32];
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_xor_sync(0xffffffff, v, d);
        data[t] = v;
    }
}
extern "C" __global__ void reduce(const float *in, float *out, unsigned n)
{
    __shared__ float data[256];
    unsigned t = threadIdx.x;
    float mine = 0;
    for (unsigned i = blockIdx.x * 512 + t; i < n; i += 512 * gridDim.x) {
        mine += in[i];
        if (i + 256 < n)
            mine += in[i + 256];
    }
    data[t] = mine;
    __syncthreads();
    sum_tree<256>(data, t);
    if (t == 0)
        out[blockIdx.x] = data[0];
}
