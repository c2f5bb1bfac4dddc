__global__ void k(float *a, const n)
{
    a[0] = n;
}
