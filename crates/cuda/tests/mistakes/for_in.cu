__global__ void k(float *a, int n)
{
    for (int i in 0..n) a[i] = 0.0f;
}
