// In the second block, half of a block waits at one barrier and half at another: none can ever go on.
extern "C" __global__ void part(int *out)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = blockIdx.x;
    if (blockIdx.x == 1 && threadIdx.x >= 32)
        asm volatile("bar.sync 1;" : : : "memory"); // fault
    __syncthreads(); // fault
    if (threadIdx.x == 1)
        out[blockIdx.x] = sum;
}
