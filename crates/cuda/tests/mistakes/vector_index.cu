__global__ void sum(const float4 *a, float *out)
{
    float4 v = a[threadIdx.x];
    float s = 0;
    for (int i = 0; i < 4; i++) s += v[i];
    out[threadIdx.x] = s;
}
