__global__ void copy(float *in, float *out)
{
    float4 four = reinterpret_cast<float4>(in)[threadIdx.x];
    out[threadIdx.x] = four.x;
}
