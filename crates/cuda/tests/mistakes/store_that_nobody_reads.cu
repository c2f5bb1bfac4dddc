__global__ void scale(float *data, float factor)
{
    float scaled = data[threadIdx.x] * factor;
    __shared__ float tile[256];
    tile[threadIdx.x] = scaled;
}
