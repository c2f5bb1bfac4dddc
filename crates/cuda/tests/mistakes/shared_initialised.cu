__global__ void count(int *data)
{
    __shared__ int counts[4] = {0, 0, 0, 0};
    __shared__ int total = 0;
    atomicAdd(&counts[threadIdx.x % 4], 1);
    __syncthreads();
    data[threadIdx.x % 4] = counts[threadIdx.x % 4] + total;
}
