__global__ void scale(float *a, int n)
{
    for i in range(n):
        a[i] = 2
}
