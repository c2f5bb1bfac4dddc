__device__ float twice(a)
{
    return 2 * a;
}

__global__ void k(float *p)
{
    p[0] = twice(p[1]);
}
