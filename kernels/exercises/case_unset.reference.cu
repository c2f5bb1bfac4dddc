__global__ void reference(const float *in, const float *shift, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) expected[i] = (double)in[i] + shift[i % 16];
}
