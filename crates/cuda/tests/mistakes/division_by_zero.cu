__global__ void divide(int *data)
{
    data[threadIdx.x] = data[threadIdx.x] / 0;
}
