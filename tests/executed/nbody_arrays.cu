extern "C" __global__ void forces(const float *x, const float *y, float *f, int n)
{
    __shared__ float sx[128], sy[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mx = i < n ? x[i] : 0, my = i < n ? y[i] : 0, sum = 0;
    for (int base = 0; base < n; base += blockDim.x) {
        int from = base + threadIdx.x;
        if (from < n) {
            sx[threadIdx.x] = x[from];
            sy[threadIdx.x] = y[from];
        }
        __syncthreads();
        int count = min(blockDim.x, n - base);
        for (int j = 0; j < count; j++) {
            float dx = sx[j] - mx, dy = sy[j] - my;
            sum += 1.0f / (dx * dx + dy * dy + 0.1f);
        }
        __syncthreads();
    }
    if (i < n)
        f[i] = sum;
}
