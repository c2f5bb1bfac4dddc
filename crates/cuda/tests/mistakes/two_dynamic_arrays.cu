__global__ void sort(float *keys, int *values)
{
    extern __shared__ float key[];
    extern __shared__ int value[];
    int i = threadIdx.x, j = blockDim.x - 1 - i;
    key[i] = keys[i];
    value[i] = values[i];
    __syncthreads();
    keys[i] = key[j];
    values[i] = value[j];
}
