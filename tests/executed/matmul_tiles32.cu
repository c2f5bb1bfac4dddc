extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    const int T = 32;
    __shared__ float as[T][T], bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0;
    for (int m = 0; m < (n + T - 1) / T; m++) {
        int x = m * T + tx, y = m * T + ty;
        as[ty][tx] = row < n && x < n ? a[row * n + x] : 0;
        bs[ty][tx] = y < n && col < n ? b[y * n + col] : 0;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}
