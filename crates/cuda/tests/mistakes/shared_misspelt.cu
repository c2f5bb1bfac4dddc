__global__ void scale(float *data)
{
    __share__ float tile[64];
    shared float other[64];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[threadIdx.x];
}
