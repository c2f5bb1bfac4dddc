__global__ void first(float *p)
{
    __shared__ float s[32];
    if (blockIdx.x == 0 && threadIdx.x < 32) {
        s[threadIdx.x] = p[threadIdx.x];
        __syncthreads();
        p[threadIdx.x] = s[31 - threadIdx.x];
    }
}
