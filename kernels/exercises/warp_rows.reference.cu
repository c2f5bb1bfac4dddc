__global__ void reference(const float *data, double *expected, int stride,
                          int width, int height)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    double sum = 0.0;
    for (int i = 0; i < width; i++) sum += data[row * stride + i];
    expected[row] = sum;
}
