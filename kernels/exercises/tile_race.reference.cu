__global__ void reference(const float *a, const float *b, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * n) return;
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += (double)a[i / n * n + k] * b[k * n + i % n];
    expected[i] = sum;
}
