__device__ float blend(float a, float b, float t)
{
    return a + t * (b - a);
}

__global__ void blend_all(float *data)
{
    data[threadIdx.x] = blend(data[threadIdx.x], 1.0f);
    data[0] = sqrtf();
}
