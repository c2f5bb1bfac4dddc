__global__ void fill(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[blockIdx.x = 1.0f;
        out[2 * (i + 1) = 2.0f;
    }
}
