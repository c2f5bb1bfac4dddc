__global__ void k(float *a)
{
    let i = threadIdx.x;
    a[i] = 1.0f;
}
