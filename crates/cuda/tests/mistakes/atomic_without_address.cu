__global__ void count(int *total, int *counts)
{
    atomicAdd(*total, 1);
    atomicAdd(counts[threadIdx.x], 1);
}
