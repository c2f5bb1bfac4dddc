__global__ void k(float *x, int n)
{
    if (threadIdx.x < n) {
        float first = x[threadIdx.x];
    }
    for (int j = 1; j < n; j++) x[j] += x[j - 1];
    x[j] = first;
}
