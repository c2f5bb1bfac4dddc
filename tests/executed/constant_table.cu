__constant__ float table[256];
extern "C" __global__ void look_up(const unsigned char *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[in[i]];
}
extern "C" __global__ void interpolate(const unsigned char *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = in[i] & 127;
    float f = (in[i] >> 7) * 0.5f;
    out[i] = table[2 * k] * (1 - f) + table[2 * k + 1] * f;
}
