__global__ void reference(const float *a, const float *b, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) expected[i] = (double)a[i] + b[i];
}
