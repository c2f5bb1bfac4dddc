__global__ void norms(float *out, const float3 *in)
{
    float3 v = in[threadIdx.x];
    out[threadIdx.x] = v.x * v.x + v.y * v.y + v.w * v.w;
    v = v * 2.0f;
    float4 w = {1.0f, 2.0f};
    w = v;
}
