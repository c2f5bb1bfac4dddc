__global__ void k(float *a, int n)
{
    if (a == null) return;
    a[0] = n;
}
