__global__ void scale(const float *in, float *out)
{
    const int i = threadIdx.x;
    const float factor;
    factor = 2;
    i += 1;
    out[i] = in[i] * factor;
}
