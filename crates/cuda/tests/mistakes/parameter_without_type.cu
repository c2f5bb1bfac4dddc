__global__ void k(a, int n)
{
    a[threadIdx.x] = n;
}
