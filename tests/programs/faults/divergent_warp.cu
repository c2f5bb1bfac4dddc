// A barrier in a branch that only some lanes of each warp take.
extern "C" __global__ void halves(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    if (t % 2 == 0) {
        __syncthreads(); // fault
        out[t] = tile[63 - t];
    } else {
        out[t] = -1;
        __syncthreads(); // fault
        out[t] += tile[t];
    }
}
