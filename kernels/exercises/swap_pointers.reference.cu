__device__ double once(const float *in, int i, int n)
{
    i = min(max(i, 0), n - 1);
    return 0.25 * in[max(i - 1, 0)] + 0.5 * in[i] + 0.25 * in[min(i + 1, n - 1)];
}

__device__ double twice(const float *in, int i, int n)
{
    i = min(max(i, 0), n - 1);
    return 0.25 * once(in, i - 1, n) + 0.5 * once(in, i, n) + 0.25 * once(in, i + 1, n);
}

__global__ void reference(const float *in, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) expected[i] = 0.25 * twice(in, i - 1, n) + 0.5 * twice(in, i, n) + 0.25 * twice(in, i + 1, n);
}
