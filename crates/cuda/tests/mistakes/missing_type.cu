__global__ void sum(const float *data, int n)
{
    total = 0.0f;
    for (i = 0; i < n; ++i)
        total += data[i];
}
