__global__ void k(float *a, int n)
{
    int i = threadIdx.x;
    a(i] = 1.0f;
}
