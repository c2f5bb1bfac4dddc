extern "C" __global__ void scan(const int *in, int *out, int *sums)
{
    __shared__ int warps[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = in[i];
    for (int d = 1; d < 32; d *= 2) {
        int w = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += w;
    }
    if (lane == 31)
        warps[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = lane < 8 ? warps[lane] : 0;
        for (int d = 1; d < 8; d *= 2) {
            int w = __shfl_up_sync(0xffffffff, s, d);
            if (lane >= d)
                s += w;
        }
        if (lane < 8)
            warps[lane] = s;
    }
    __syncthreads();
    if (warp > 0)
        v += warps[warp - 1];
    out[i] = v;
    if (threadIdx.x == blockDim.x - 1)
        sums[blockIdx.x] = v;
}
extern "C" __global__ void add(int *out, const int *sums)
{
    int before = 0;
    for (int b = 0; b < blockIdx.x; b++)
        before += sums[b];
    out[blockIdx.x * blockDim.x + threadIdx.x] += before;
}
