extern "C" __global__ void lcs(const char *a, const char *b, int *out, int n)
{
    __shared__ int row[3][129];
    int t = threadIdx.x;
    for (int i = t; i < 3 * 129; i += blockDim.x)
        row[i / 129][i % 129] = 0;
    __syncthreads();
    for (int d = 0; d < 2 * n - 1; d++) {
        int *now = row[d % 3], *last = row[(d + 2) % 3], *before = row[(d + 1) % 3];
        int j = d - t;
        if (j >= 0 && j < n)
            now[t + 1] = a[t] == b[j] ? before[t] + 1 : max(last[t], last[t + 1]);
        __syncthreads();
    }
    if (t == n - 1)
        *out = row[(2 * n - 2) % 3][n];
}
