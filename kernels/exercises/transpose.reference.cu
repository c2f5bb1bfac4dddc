__global__ void reference(const float *in, float *expected, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    expected[i % width * height + i / width] = in[i];
}
