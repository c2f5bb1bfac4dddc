__global__ void sum(float *data)
{
    float v = data[threadIdx.x];
    v += __shfl_down_sync(v, 16);
    v += __shfl_xor(v, 8);
    __syncwarp;
    if (__any(v > 0))
        data[threadIdx.x] = v;
}
