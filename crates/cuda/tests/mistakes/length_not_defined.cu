__global__ void copy(const float *in, float *out, int n)
{
    __shared__ float tile[N];
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < N) tile[threadIdx.x] = in[i];
    out[i] = tile[threadIdx.x];
}
