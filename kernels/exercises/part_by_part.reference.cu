__global__ void reference(const float *in, const float *tap, double *expected, int taps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0.0;
    for (int k = 0; k < taps; k++) sum += (double)tap[k] * in[i + k];
    expected[i] = sum;
}
