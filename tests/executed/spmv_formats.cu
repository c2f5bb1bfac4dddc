extern "C" __global__ void csr(const int *rows, const int *cols, const float *vals, const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        float sum = 0;
        for (int j = rows[r] * 8; j < rows[r + 1] * 8; j++)
            sum += vals[j] * x[cols[j]];
        y[r] = sum;
    }
}
extern "C" __global__ void csr_warp(const int *rows, const int *cols, const float *vals, const float *x, float *y, int n)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= n)
        return;
    float sum = 0;
    for (int j = rows[r] * 8 + lane; j < rows[r + 1] * 8; j += 32)
        sum += vals[j] * x[cols[j]];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[r] = sum;
}
extern "C" __global__ void ell(const int *cols, const float *vals, const float *x, float *y, int n, int most)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n)
        return;
    float sum = 0;
    for (int j = 0; j < most; j++) {
        float v = vals[j * n + r];
        if (v > 0)
            sum += v * x[cols[j * n + r]];
    }
    y[r] = sum;
}
