__global__ void reference(const float *in, double *expected, int stride, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < stride * height) expected[i] = i % stride < width ? (double)in[i] * in[i] : -1.0;
}
