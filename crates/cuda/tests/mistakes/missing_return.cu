__device__ float clamp(float x)
{
    if (x < 0.0f)
        return 0.0f;
    if (x > 1.0f)
        return 1.0f;
}

__global__ void clamp_all(float *data)
{
    data[threadIdx.x] = clamp(data[threadIdx.x]);
}
