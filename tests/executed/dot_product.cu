extern "C" __global__ void dot(const float *a, const float *b, float *c, int n)
{
    __shared__ float cache[256];
    int tid = threadIdx.x + blockIdx.x * blockDim.x, at = threadIdx.x;
    float temp = 0;
    while (tid < n) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[at] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (at < i)
            cache[at] += cache[at + i];
        __syncthreads();
        i /= 2;
    }
    if (at == 0)
        c[blockIdx.x] = cache[0];
}
