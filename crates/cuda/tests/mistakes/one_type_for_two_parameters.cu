__global__ void k(float *a, *b, int n)
{
    if (threadIdx.x < n) a[threadIdx.x] = b[threadIdx.x];
}
