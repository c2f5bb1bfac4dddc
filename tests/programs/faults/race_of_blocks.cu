// A filter in place: a block's first thread reads the last element of the block before, which may have been written.
extern "C" __global__ void difference(float *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float before = i > 0 ? values[i - 1] : 0; // fault
    __syncthreads();
    values[i] = values[i] - before; // fault
}
