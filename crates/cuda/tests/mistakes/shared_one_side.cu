__global__ void k(float *a)
{
    __shared float tile[32];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = tile[31 - threadIdx.x];
}
