__global__ void fill(int *data, int n)
{
    int i = threadIdx.x;
    if (i < n);
        data[i] = 1;
}
