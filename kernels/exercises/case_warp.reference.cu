__global__ void reference(const float *in, double *expected, int n)
{
    int block = blockIdx.x * blockDim.x + threadIdx.x, first = 128 * block;
    if (first >= n) return;
    double sum = 0.0;
    for (int i = first; i < min(first + 128, n); i++) sum += in[i];
    expected[block] = sum;
}
