__global__ void k(float *a, int n)
{
    # the index of this thread
    int i = threadIdx.x;
    a[i] = 1.0f;
}
