__global__ void reference(const float *in, double *expected, int stride,
                          int width, int height, int depth)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int slice = stride * height, z = i / slice;
    if (z >= depth) return;
    double before = in[z > 0 ? i - slice : i];
    double after = in[z + 1 < depth ? i + slice : i];
    expected[i] = i % stride < width ? (before + in[i] + after) / 3.0 : -1.0;
}
