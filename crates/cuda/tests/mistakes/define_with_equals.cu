#define N = 256
__global__ void fill(float *a)
{
    if (threadIdx.x < N)
        a[threadIdx.x] = 0;
}
