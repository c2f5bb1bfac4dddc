__global__ void half_of(float *data)
{
    data[threadIdx.x] = 1f / 2f * data[threadIdx.x];
}
