__global__ void k(float *a, int n)
{
    int i = threadIdx.x;
    if (!i == 5) a[i] = 1;
    if (!n > i) a[i] = 2;
    if (!(i == 5) == (n > 2) && !n == 1) a[i] = 3;
    if (i == 2 || 1) a[i] = 4;
    if (i == 2 || 0) a[i] = 5;
    while (1 && i < n) i++;
}
