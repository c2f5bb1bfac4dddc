__global__ void count(int *total)
{
    atomicAdd(&total, 1);
}
