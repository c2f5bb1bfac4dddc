__device__ float *scratch(float x)
{
    float values[4] = {x, x, x, x};
    return values;
}

__global__ void use(float *data)
{
    float *p = scratch(data[0]);
    data[threadIdx.x] = p[1];
}
