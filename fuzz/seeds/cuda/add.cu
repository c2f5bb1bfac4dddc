extern "C" __global__ void add(const float *__restrict__ a, const float *__restrict__ b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
