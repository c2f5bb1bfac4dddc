__global__ void reference(const float *in, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) expected[i] = 0.375 * in[i];
}
