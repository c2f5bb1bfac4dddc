struct P { float x, y, z; };
extern "C" __global__ void to_soa(const P *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    P p = in[i];
    out[i] = p.x;
    out[n + i] = p.y;
    out[2 * n + i] = p.z;
}
extern "C" __global__ void grey_of(const unsigned char *rgb, unsigned char *grey, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        grey[i] = 0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2];
}
