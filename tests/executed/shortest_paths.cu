extern "C" __global__ void step(int *d, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) {
        int through = d[y * n + k] + d[k * n + x];
        if (through < d[y * n + x])
            d[y * n + x] = through;
    }
}
extern "C" __global__ void tile(int *d, int n)
{
    __shared__ int s[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = d[y * n + x];
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        int through = s[y][k] + s[k][x];
        __syncthreads();
        if (through < s[y][x])
            s[y][x] = through;
        __syncthreads();
    }
    d[y * n + x] = s[y][x];
}
