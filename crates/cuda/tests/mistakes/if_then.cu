__global__ void positive(float *a, int n)
{
    int i = threadIdx.x;
    if (i < n) then a[i] = 1;
}
