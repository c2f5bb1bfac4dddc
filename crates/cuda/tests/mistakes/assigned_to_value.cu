__global__ void scale(float *a, int n)
{
    int i = threadIdx.x;
    i + 1 = n;
    5 = i;
    fabsf(a[i]) = 3;
    a[i] = i;
}
