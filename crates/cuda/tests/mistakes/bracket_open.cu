__global__ void k(float *a, int n)
{
    int i = threadIdx.x;
    if (i < n) a[i = 1.0f;
}
