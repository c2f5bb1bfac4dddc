extern "C" __global__ void matmul(const double *a, const double *b, double *c, int n)
{
    __shared__ double as[8][8], bs[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 8 + ty, col = blockIdx.x * 8 + tx;
    double sum = 0;
    for (int m = 0; m < n; m += 8) {
        as[ty][tx] = a[row * n + m + tx];
        bs[ty][tx] = b[(m + ty) * n + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
