extern "C" __global__ void keep(const float *in, float *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0.5f) {
        int at = atomicAdd(count, 1);
        out[at] = in[i];
    }
}
