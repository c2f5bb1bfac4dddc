// Two arrays that begin in one: what is loaded is not what the next iteration stores.
__global__ void filter(const float *in, const float *taps, float *out, int width, int n)
{
    extern __shared__ float memory[];
    float *results = memory;
    float *weights = memory + blockDim.x;
    int *count = (int *)(weights + width * blockDim.x);
    int t = threadIdx.x;
    for (int i = 0; i < width; ++i) weights[t * width + i] = taps[i];
    if (t == 0) *count = n;
    __syncthreads();
    for (int i = 0; i < *count; ++i) {
        float x = weights[t * width] * in[i * blockDim.x + t];
        results[t] = x;
        __syncthreads();
        out[i * blockDim.x + t] = results[blockDim.x - 1 - t];
        __syncthreads();
    }
}

__device__ int sums(int *count, int *data, int x)
{
    data[threadIdx.x] = x;
    __syncthreads();
    int sum = data[threadIdx.x] + *count;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) *count += data[threadIdx.x];
    return sum;
}

__global__ void compact(int *data, int n)
{
    extern __shared__ int words[];
    int *count = &words[blockDim.x];
    if (threadIdx.x == 0) *count = 0;
    __syncthreads();
    for (int i = 0; i < n; ++i) data[i * blockDim.x + threadIdx.x] = sums(count, words, data[i * blockDim.x + threadIdx.x]);
}
