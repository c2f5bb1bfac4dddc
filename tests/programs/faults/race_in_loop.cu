// A tile is filled again while some still read the last one: the second barrier of the loop is missing.
extern "C" __global__ void tiles(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    int t = threadIdx.x, sum = 0;
    for (int start = 0; start < n; start += 64) {
        tile[t] = in[start + t]; // fault
        __syncthreads();
        for (int k = 0; k < 64; k++)
            sum += tile[k] * (k ^ t); // fault
    }
    out[t] = sum;
}
