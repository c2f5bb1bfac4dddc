__global__ void reference(const float *in, double *expected, int tiles, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0.0;
    for (int k = 0; k < tiles; k++) sum += in[64 * (tiles * (i / 64) + k) + 63 - i % 64];
    expected[i] = sum;
}
