__global__ void reference(const float *data, double *expected, int stride, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < stride * height) expected[i] = i % stride < width ? 2.0 * data[i] : data[i];
}
