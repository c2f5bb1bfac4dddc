__global__ void k(a: float*, n: int)
{
    a[threadIdx.x] = n;
}
