__global__ void apply(float *data, int n)
{
    if (threadIdx.x < n);
        data[threadIdx.x] = 1.0f;
    else
        data[threadIdx.x] = 0.0f;
}
