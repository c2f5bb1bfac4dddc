__global__ void k(float *a, int n)
{
    float w[3] = [0.25f, 0.5f, 0.25f];
    a[0] = w[n];
}
