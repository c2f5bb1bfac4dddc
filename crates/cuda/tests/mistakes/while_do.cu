__global__ void k(float *a, int n)
{
    int i = 0;
    while (i < n) do { a[i] = 1.0f; i++; }
}
