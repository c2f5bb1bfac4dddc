extern "C" __global__ void reduce(const float *in, float *out)
{
    extern __shared__ float data[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    data[t] = in[i];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half)
            data[t] += data[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = data[0];
}
