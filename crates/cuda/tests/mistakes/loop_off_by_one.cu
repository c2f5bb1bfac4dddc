__global__ void fill(int *out)
{
    int values[8];
    for (int i = 0; i <= 8; ++i)
        values[i] = i;
    out[threadIdx.x] = values[threadIdx.x];
}
