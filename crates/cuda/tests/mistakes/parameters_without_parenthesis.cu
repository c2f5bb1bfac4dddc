__global__ void fill float *a, int n)
{
    a[threadIdx.x] = n;
}
