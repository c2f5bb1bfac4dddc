extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[8][32], bs[8][32];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 8 + tx;
    float sum[4][4] = {};
    for (int m = 0; m < n; m += 8) {
        for (int i = t; i < 256; i += 64) {
            as[i % 8][i / 8] = a[(blockIdx.y * 32 + i / 8) * n + m + i % 8];
            bs[i / 32][i % 32] = b[(m + i / 32) * n + blockIdx.x * 32 + i % 32];
        }
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            float x[4], y[4];
            for (int i = 0; i < 4; i++) {
                x[i] = as[k][ty * 4 + i];
                y[i] = bs[k][tx * 4 + i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(blockIdx.y * 32 + ty * 4 + i) * n + blockIdx.x * 32 + tx * 4 + j] = sum[i][j];
}
