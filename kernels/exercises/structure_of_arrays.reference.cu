__global__ void reference(const float *x, const float *y, const float *z, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) expected[i] = sqrt((double)x[i] * x[i] + (double)y[i] * y[i] + (double)z[i] * z[i]);
}
