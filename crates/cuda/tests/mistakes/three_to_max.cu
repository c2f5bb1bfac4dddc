__global__ void largest(float *a)
{
    int i = threadIdx.x;
    a[i] = max(a[i], a[i + 1], a[i + 2]);
    a[i] = fmax(a[i]);
}
