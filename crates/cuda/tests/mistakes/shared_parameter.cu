__device__ void load(__shared__ float *tile, const float *a) { tile[threadIdx.x] = a[threadIdx.x]; }
__global__ void copy(float *a)
{
    __shared__ float tile[256];
    load(tile, a);
    a[threadIdx.x] = tile[255 - threadIdx.x];
}
