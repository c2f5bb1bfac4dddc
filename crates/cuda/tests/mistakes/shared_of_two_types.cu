template <typename T>
__global__ void copy(T *data)
{
    extern __shared__ T tile[];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

template __global__ void copy<float>(float *);
template __global__ void copy<double>(double *);
