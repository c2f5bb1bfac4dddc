__global__ void sum(const float *in, float *out, int n)
{
    float total == 0.0f;
    for (int i == 0; i < n; i++) total += in[i];
    out[0] = total;
}
