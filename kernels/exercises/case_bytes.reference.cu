__global__ void reference(const unsigned char *in, double *expected, int n)
{
    int bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin >= 16) return;
    int found = 0;
    for (int i = 0; i < n; i++) found += in[i] == bin;
    expected[bin] = found;
}
