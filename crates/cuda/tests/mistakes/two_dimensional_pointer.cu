__global__ void transpose(const float *in, float *out)
{
    out[threadIdx.x][threadIdx.y] = in[threadIdx.y][threadIdx.x];
}
