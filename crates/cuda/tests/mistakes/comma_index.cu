__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[32][33];
    tile[threadIdx.y, threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x, threadIdx.y];
}
