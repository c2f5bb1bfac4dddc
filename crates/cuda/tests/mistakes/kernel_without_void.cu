__global__ scale(float *data)
{
    data[threadIdx.x] *= 2.0f;
}
