__global__ void set(int *a, int n)
{
    int i = threadIdx.x;
    a[i] == n;
    i + 1;
    n;
}
