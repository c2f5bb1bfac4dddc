__global__ void sum(const float *data, float &total)
{
    atomicAdd(&total, data[threadIdx.x]);
}
