__global__ void convert(half *out, const float *in)
{
    out[threadIdx.x] = __float2half(in[threadIdx.x]);
}
