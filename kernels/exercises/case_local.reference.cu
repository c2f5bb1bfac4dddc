__global__ void reference(const float *in, const float *tap, double *expected,
                          int taps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double before = in[i], sum = tap[0] * before;
    for (int k = 1; k < taps; k++) {
        before = 0.5 * (in[i + k] + before);
        sum += tap[k] * before;
    }
    expected[i] = sum;
}
