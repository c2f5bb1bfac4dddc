extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int a[2][256];
    int t = threadIdx.x, from = 0;
    a[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        int to = 1 - from;
        if (t >= d)
            a[to][t] = a[from][t] + a[from][t - d];
        else
            a[to][t] = a[from][t];
        from = to;
        __syncthreads();
    }
    out[t] = a[from][t];
}
