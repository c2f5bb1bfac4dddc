// The last steps of a reduction as they were written before Volta: the lanes of a warp exchange without __syncwarp.
extern "C" __global__ void sum(const int *in, int *out)
{
    __shared__ volatile int tile[32];
    int t = threadIdx.x;
    tile[t] = in[t];
    if (t < 16) {
        tile[t] += tile[t + 16]; // fault
        tile[t] += tile[t + 8];
        tile[t] += tile[t + 4];
        tile[t] += tile[t + 2];
        tile[t] += tile[t + 1];
    }
    if (t == 0)
        out[0] = tile[0];
}
