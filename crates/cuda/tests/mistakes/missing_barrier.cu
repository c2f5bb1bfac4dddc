__global__ void reverse(int *data)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
