__global__ void clear(float *data, int n)
{
    for (int i = 0, i < n, ++i)
        data[i] = 0.0f;
}
