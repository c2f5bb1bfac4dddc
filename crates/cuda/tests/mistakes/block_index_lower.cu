__global__ void k(float *a)
{
    int i = blockidx.x * blockdim.x + threadidx.x;
    a[i] = 1.0f;
}
