__global__ void reverse(int *data, int n)
{
    __shared__ int tile[n];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
