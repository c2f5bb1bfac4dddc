template <typename T>
__device__ T larger(T a, T b)
{
    return a > b ? a : b;
}

__global__ void clear(float *data)
{
    data[threadIdx.x] = larger(data[threadIdx.x], 0);
}
