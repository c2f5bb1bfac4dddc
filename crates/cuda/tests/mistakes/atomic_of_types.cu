__global__ void sum(float *total, int *count, const float *data)
{
    atomicAdd(total, 1);
    atomicAdd(count, data[threadIdx.x]);
    atomicMax(total, data[threadIdx.x]);
}
