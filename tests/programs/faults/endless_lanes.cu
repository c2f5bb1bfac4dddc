// One thread waits for a flag that is only set behind the barrier at which all others wait for it.
extern "C" __global__ void wait(int *out)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 37)
        while (flag == 0) // fault
            ;
    __syncthreads();
    if (threadIdx.x == 0)
        flag = 1;
    out[threadIdx.x] = 1;
}
