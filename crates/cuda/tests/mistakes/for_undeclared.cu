__global__ void k(float *a, int n)
{
    for (i = 0; i < n; i++) a[i] = 0.0f;
}
