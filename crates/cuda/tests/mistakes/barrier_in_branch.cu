__global__ void sum(float *data)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    tile[t] = data[t];
    for (int step = 128; step > 0; step /= 2) {
        if (t < step) {
            tile[t] += tile[t + step];
            __syncthreads();
        }
    }
    if (t == 0)
        data[0] = tile[0];
}
