// Reads its right neighbour's element; the last thread has none.
extern "C" __global__ void neighbours(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[t + 1]; // fault
}
