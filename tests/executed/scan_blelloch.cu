extern "C" __global__ void scan(const float *in, float *out)
{
    __shared__ float a[256];
    int t = threadIdx.x, n = 256, offset = 1;
    in += blockIdx.x * n;
    out += blockIdx.x * n;
    a[2 * t] = in[2 * t];
    a[2 * t + 1] = in[2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int i = offset * (2 * t + 1) - 1, j = offset * (2 * t + 2) - 1;
            a[j] += a[i];
        }
        offset *= 2;
    }
    if (t == 0)
        a[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int i = offset * (2 * t + 1) - 1, j = offset * (2 * t + 2) - 1;
            float v = a[i];
            a[i] = a[j];
            a[j] += v;
        }
    }
    __syncthreads();
    out[2 * t] = a[2 * t];
    out[2 * t + 1] = a[2 * t + 1];
}
