__global__ void k(float *a; float *b; int n)
{
    if (threadIdx.x < n) a[threadIdx.x] = b[threadIdx.x];
}
