extern "C" __global__ void naive(const char *text, const char *pattern, int *hits, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n - m)
        return;
    for (int j = 0; j < m; j++)
        if (text[i + j] != pattern[j])
            return;
    atomicAdd(hits, 1);
}
extern "C" __global__ void tiled(const char *text, const char *pattern, int *found, int n, int m)
{
    __shared__ char t[256 + 32], p[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < m)
        p[threadIdx.x] = pattern[threadIdx.x];
    for (int j = threadIdx.x; j < 256 + m; j += 256)
        if (blockIdx.x * 256 + j < n)
            t[j] = text[blockIdx.x * 256 + j];
    __syncthreads();
    if (i + m <= n) {
        bool same = true;
        for (int j = 0; j < m && same; j++)
            same = t[threadIdx.x + j] == p[j];
        found[i] = same;
    }
}
