extern "C" __global__ void rows(const float *a, const float *x, float *y, int m, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < m) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += a[r * n + j] * x[j];
        y[r] = s;
    }
}
extern "C" __global__ void row_blocks(const float *a, const float *x, float *y, int n)
{
    float s = 0;
    for (int j = threadIdx.x; j < n; j += 32)
        s += a[blockIdx.x * n + j] * x[j];
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffff, s, d);
    if (threadIdx.x == 0)
        y[blockIdx.x] = s;
}
extern "C" __global__ void columns_shared(const float *a, const float *x, float *y, int m, int n)
{
    __shared__ float xs[64];
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j0 = 0; j0 < n; j0 += 64) {
        if (j0 + threadIdx.x < n)
            xs[threadIdx.x] = x[j0 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64 && j0 + j < n; j++)
            s += a[(j0 + j) * m + r] * xs[j];
        __syncthreads();
    }
    y[r] = s;
}
