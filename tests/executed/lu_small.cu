extern "C" __global__ void invert(float *a)
{
    __shared__ float m[4][8];
    int r = threadIdx.y, c = threadIdx.x;
    float *mine = a + blockIdx.x * 16;
    m[r][c] = mine[r * 4 + c];
    m[r][c + 4] = r == c;
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        float p = m[k][k], f = m[r][k];
        __syncthreads();
        if (r == k) {
            m[r][c] /= p;
            m[r][c + 4] /= p;
        }
        __syncthreads();
        if (r != k) {
            m[r][c] -= f * m[k][c];
            m[r][c + 4] -= f * m[k][c + 4];
        }
        __syncthreads();
    }
    mine[r * 4 + c] = m[r][c + 4];
}
