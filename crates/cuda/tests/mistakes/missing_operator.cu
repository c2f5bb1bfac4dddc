__global__ void k(float *a)
{
    a[0] = 2 a[1];
}
