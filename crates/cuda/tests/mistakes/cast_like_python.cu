__global__ void k(float *a, int n)
{
    a[0] = (float n) / 2;
}
