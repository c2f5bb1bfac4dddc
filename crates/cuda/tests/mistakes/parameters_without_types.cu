__global__ void k(a, b, n)
{
    a[threadIdx.x] = b[threadIdx.x];
}
