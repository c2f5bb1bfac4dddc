__global__ void rows(const float *in, float *out, int n)
{
    float sums[4];
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 4; ++k) sums[k] += in[4 * i + k];
    out[threadIdx.x] = sums[threadIdx.x % 4];
}
