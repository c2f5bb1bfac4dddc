__global__ void k(float *a)
{
    int i = threadIdx(0);
    a[i] = 1.0f;
}
