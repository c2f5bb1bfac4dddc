extern "C" __global__ void triangle(int *out)
{
    __shared__ int row[33];
    int t = threadIdx.x;
    row[t] = t == 0;
    if (t == 0)
        row[32] = 0;
    __syncthreads();
    for (int r = 0; r < 32; r++) {
        out[r * 32 + t] = row[t];
        int left = t > 0 ? row[t - 1] : 0;
        __syncthreads();
        row[t] += left;
        __syncthreads();
    }
}
extern "C" __global__ void pairs(int *out)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    a[t] = t * 7 % 13;
    b[63 - t] = t * 5 % 11;
    __syncthreads();
    int s = 0;
    for (int i = 0; i < 64; i += 2)
        s += a[i] * b[i + 1] + a[i + 1] * b[i];
    out[t] = s + a[t ^ 1] + b[t ^ 2];
}
