__global__ void k(float *a, int n)
{
    for (int i = 0; i < n) a[i] = 0.0f;
}
