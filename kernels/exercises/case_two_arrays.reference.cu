__global__ void reference(const float *in, const int *key, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, first = i / 64 * 64;
    if (i < n) expected[i] = in[first + key[first + 63 - i % 64]];
}
