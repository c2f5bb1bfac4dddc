template <typename T>
__device__ T zero()
{
    return T(0);
}

__global__ void clear(float *data)
{
    data[threadIdx.x] = zero();
}
