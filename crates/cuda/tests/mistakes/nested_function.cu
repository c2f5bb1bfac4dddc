__global__ void apply(float *data)
{
    float square(float x)
    {
        return x * x;
    }
    data[threadIdx.x] = square(data[threadIdx.x]);
}
