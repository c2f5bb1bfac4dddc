extern "C" __global__ void softmax(const float *in, float *out, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    in += blockIdx.x * n;
    out += blockIdx.x * n;
    float m = -1e30f;
    for (int i = t; i < n; i += blockDim.x)
        m = fmaxf(m, in[i]);
    s[t] = m;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h /= 2) {
        if (t < h)
            s[t] = fmaxf(s[t], s[t + h]);
        __syncthreads();
    }
    m = s[0];
    __syncthreads();
    float sum = 0;
    for (int i = t; i < n; i += blockDim.x)
        sum += expf(in[i] - m);
    s[t] = sum;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h /= 2) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    sum = s[0];
    for (int i = t; i < n; i += blockDim.x)
        out[i] = expf(in[i] - m) / sum;
}
extern "C" __global__ void softmax_warp(const float *in, float *out, int n, int rows)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    in += row * n;
    out += row * n;
    float m = -1e30f, sum = 0;
    for (int i = lane; i < n; i += 32)
        m = fmaxf(m, in[i]);
    for (int d = 16; d; d /= 2)
        m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
    for (int i = lane; i < n; i += 32)
        sum += __expf(in[i] - m);
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    for (int i = lane; i < n; i += 32)
        out[i] = __expf(in[i] - m) / sum;
}
