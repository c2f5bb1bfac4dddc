__global__ void work(float *data)
{
    blockDim.x = 256;
    threadIdx.x += 1;
    data[threadIdx.x] = 0.0f;
}
