__global__ void reference(const float *a, const float *b, double *expected, int rows, int inner, int columns,
                          int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * stride) return;
    int row = i / stride, column = i % stride;
    double sum = 0.0;
    for (int k = 0; k < inner; k++) sum += (double)a[row * stride + k] * b[k * stride + column];
    expected[i] = column < columns ? sum : -1.0;
}
