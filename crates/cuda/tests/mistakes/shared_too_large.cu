__global__ void transpose(float *data)
{
    __shared__ float tile[128][128];
    tile[threadIdx.y][threadIdx.x] = data[threadIdx.y * 128 + threadIdx.x];
    __syncthreads();
    data[threadIdx.y * 128 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
