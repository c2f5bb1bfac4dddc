extern "C" __global__ void reduce(const float *in, float *out)
{
    __shared__ float data[256];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    data[t] = in[i];
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        unsigned at = 2 * step * t;
        if (at < blockDim.x)
            data[at] += data[at + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = data[0];
}
