extern "C" __global__ void pivot_row(float *a, int n, int w, int k)
{
    int j = threadIdx.x + k + 1;
    if (j < w)
        a[k * w + j] /= a[k * w + k];
}
extern "C" __global__ void eliminate(float *a, int n, int w, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && i != k && j > k && j < w)
        a[i * w + j] -= a[i * w + k] * a[k * w + j];
}
extern "C" __global__ void whole(float *a, int n)
{
    __shared__ float m[32][33];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++)
        m[i][t] = a[i * n + t];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t > k) {
            float f = m[t][k] / m[k][k];
            for (int j = k; j < n; j++)
                m[t][j] -= f * m[k][j];
        }
        __syncthreads();
    }
    for (int i = 0; i < n; i++)
        a[i * n + t] = m[i][t];
}
