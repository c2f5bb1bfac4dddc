extern "C" __global__ void positive(const int *in, int *out, int *used)
{
    __shared__ int place[256];
    __shared__ int base;
    int t = threadIdx.x, v = in[blockIdx.x * 256 + t], keep = v > 0;
    place[t] = keep;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int add = t >= d ? place[t - d] : 0;
        __syncthreads();
        place[t] += add;
        __syncthreads();
    }
    if (t == 255)
        base = atomicAdd(used, place[255]);
    __syncthreads();
    if (keep)
        out[base + place[t] - 1] = v;
}
