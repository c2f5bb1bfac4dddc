__global__ void scale(float *values, float factor)
{
    if (threadIdx.x < values.size())
        values[threadIdx.x] *= factor;
    for (float value : values)
        value *= factor;
}
__global__ void rows(float grid[][], int n)
{
    grid[0][0] = n;
}
