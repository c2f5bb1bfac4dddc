__global__ void reference(const float *in, const float *entry, double *expected,
                          int entries, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double best = 1e30;
    for (int k = 0; k < entries; k++) best = fmin(best, fabs((double)in[i] - entry[k]));
    expected[i] = best;
}
