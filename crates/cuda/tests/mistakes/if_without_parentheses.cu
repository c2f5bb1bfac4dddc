__global__ void positive(float *a, int n)
{
    int i = threadIdx.x;
    if i < n {
        a[i] = 1;
    }
}
