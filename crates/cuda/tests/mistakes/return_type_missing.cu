__device__ square(float x)
{
    return x * x;
}

__global__ void k(float *a)
{
    a[0] = square(a[0]);
}
