__global__ void reference(const float *in, const float *coef, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0.0;
    if (i >= 4 && i < n - 4) {
        for (int j = 1; j <= 4; j++) sum += (double)coef[j] * ((double)in[i + j] - in[i - j]);
    }
    expected[i] = sum;
}
