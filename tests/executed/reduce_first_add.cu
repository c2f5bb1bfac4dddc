extern "C" __global__ void reduce(const int *in, int *out, int n)
{
    __shared__ int data[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    int mine = i < n ? in[i] : 0;
    if (i + blockDim.x < n)
        mine += in[i + blockDim.x];
    data[t] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 32; half >>= 1) {
        if (t < half)
            data[t] = mine = mine + data[t + half];
        __syncthreads();
    }
    if (t < 32) {
        mine += data[t + 32];
        for (int d = 16; d > 0; d /= 2)
            mine += __shfl_down_sync(0xffffffff, mine, d);
        if (t == 0)
            out[blockIdx.x] = mine;
    }
}
