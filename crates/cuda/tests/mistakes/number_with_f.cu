__global__ void scale(float *a)
{
    a[threadIdx.x] = a[threadIdx.x] * 2f;
}
