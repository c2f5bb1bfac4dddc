__global__ void mark(float *data, int *flags)
{
    if (data[threadIdx.x] == 0.1)
        flags[threadIdx.x] = 1;
}
