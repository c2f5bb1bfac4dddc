__global__ void fill(float4 *out)
{
    float4 v = float4(1.0f, 2.0f, 3.0f, 4.0f);
    float4 w = out[0];
    w[0] = 5.0f;
    if (threadIdx.x < 4) then out[threadIdx.x] = v;
}
