__global__ void reference(const float *a, const float *b, double *expected, int rows, int inner, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    double sum = 0.0;
    for (int k = 0; k < inner; k++) {
        sum += (double)a[i / columns * inner + k] * b[k * columns + i % columns];
    }
    expected[i] = sum;
}
