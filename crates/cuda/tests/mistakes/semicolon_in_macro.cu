#define N 256;

__global__ void fill(int *data)
{
    if (threadIdx.x < N)
        data[threadIdx.x] = 1;
}
