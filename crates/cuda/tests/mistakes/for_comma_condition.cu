__global__ void k(float *a, int n)
{
    for (int i = 0, i < n; i++) a[i] = 0.0f;
}
