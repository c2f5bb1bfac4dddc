__global__ void reference(const float *in, const float *coef, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0.0;
    for (int k = 0; k < 8; k++) sum += (double)coef[8 * (i % 4) + k] * in[i + 4 * k];
    expected[i] = sum;
}
