extern "C" __global__ void reduce(const int *in, int *out)
{
    __shared__ int data[128];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    data[t] = in[i];
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        if (t % (2 * step) == 0)
            data[t] += data[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = data[0];
}
