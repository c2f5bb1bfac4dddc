float square(float x)
{
    return x * x;
}

__global__ void squares(float *data)
{
    data[threadIdx.x] = square(data[threadIdx.x]);
}
