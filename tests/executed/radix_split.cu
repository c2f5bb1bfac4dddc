extern "C" __global__ void split(const unsigned *in, unsigned *out, int bit)
{
    __shared__ unsigned ones[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    unsigned v = in[i], b = v >> bit & 1;
    ones[t] = b;
    __syncthreads();
    for (int d = 1; d < 256; d <<= 1) {
        unsigned add = 0;
        if (t >= d)
            add = ones[t - d];
        __syncthreads();
        ones[t] += add;
        __syncthreads();
    }
    unsigned before = ones[t] - b, zeros = 256 - ones[255];
    unsigned to = b ? zeros + before : t - before;
    out[blockIdx.x * 256 + to] = v;
}
