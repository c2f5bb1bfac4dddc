__global__ void scale(float *x, int n)
{
    int i = threadIdx.x;
    / one thread, one element
    if (i < n) x[i] *= 2.0f;
}
