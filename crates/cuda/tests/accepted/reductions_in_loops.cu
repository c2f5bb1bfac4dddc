// Thread 0 reads what it stores itself in the next turn: one barrier a step is enough.
__global__ void sums(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int d = 0; d < n; ++d) {
        s[t] = in[d * 128 + t];
        __syncthreads();
        for (int w = 64; w > 0; w >>= 1) {
            if (t < w) s[t] += s[t + w];
            __syncthreads();
        }
        if (t == 0) out[d] = s[0];
    }
}
__global__ void not_first(const int *in, int *out, int n)
{
    __shared__ int s[128];
    for (int d = 0; d < n; ++d) {
        s[threadIdx.x] = in[d * 128 + threadIdx.x];
        __syncthreads();
        for (int w = 64; w > 0; w /= 2) {
            if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
            __syncthreads();
        }
        if (!threadIdx.x) out[2 * d] = s[0];
        if (threadIdx.x < 1) out[2 * d + 1] = s[0];
        if (threadIdx.x != 0) continue;
        out[d] += s[0];
    }
}
__global__ void planes(const int *in, int *out, int n, int c)
{
    __shared__ int s[8][16];
    int x = threadIdx.x, y = threadIdx.y;
    for (int d = 0; d < n; ++d) {
        s[y][x] = in[d * 128 + y * 16 + x];
        __syncthreads();
        for (int w = 8; w > 0; w >>= 1) {
            if (x < w) s[y][x] += s[y][x + w];
            __syncthreads();
        }
        if (x == 0 && y == 0) out[d] = s[0][0];
        if (x == 0) out[d + y] = s[y][0];
        if (x == c && y == 0) out[d] += s[0][c];
    }
}
