__global__ void wrap(float *data)
{
    data[threadIdx.x] = data[threadIdx.x] % 2.0f;
}
