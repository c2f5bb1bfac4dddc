__global__ void first(int *data)
{
    int i = threadIdx.x;
    if (i = 0)
        data[0] = 1;
}
