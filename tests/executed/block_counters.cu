extern "C" __global__ void stats(const int *in, int *out)
{
    __shared__ int sum, least, most, odd;
    if (threadIdx.x == 0) {
        sum = 0;
        least = 0x7fffffff;
        most = -0x7fffffff;
        odd = 0;
    }
    __syncthreads();
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&sum, v);
    atomicMin(&least, v);
    atomicMax(&most, v);
    if (v & 1)
        atomicAdd(&odd, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[4 * blockIdx.x] = sum;
        out[4 * blockIdx.x + 1] = least;
        out[4 * blockIdx.x + 2] = most;
        out[4 * blockIdx.x + 3] = odd;
    }
}
