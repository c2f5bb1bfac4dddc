__global__ void sign(int *a)
{
    int i = threadIdx.x;
    if (a[i] > 0) a[i] = 1;
    else (a[i] < 0) a[i] = -1;
}
