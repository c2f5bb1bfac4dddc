__global__ void reference(const float *in, const int *order, double *expected, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width * height) expected[i] = in[order[i / width] * width + i % width];
}
