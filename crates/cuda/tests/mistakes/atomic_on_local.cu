__global__ void count(const int *a, int *out)
{
    int sum = 0;
    atomicAdd(&sum, a[threadIdx.x]);
    __syncthreads();
    *out = sum;
}
