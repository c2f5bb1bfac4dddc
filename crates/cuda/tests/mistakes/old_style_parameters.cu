__global__ void k(a, n)
    float *a;
    int n;
{
    if (threadIdx.x < n) a[threadIdx.x] = 1.0f;
}
