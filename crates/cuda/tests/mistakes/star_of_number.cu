__global__ void sum(const float *data, float *out, int n)
{
    float total = 0.0f;
    for (int i = 0; i < n; ++i)
        total += *data[i];
    *out = *total;
}
