__device__ void last_warp(volatile int *data, int t)
{
    int v = data[t];
    v += data[t + 32]; __syncwarp(); data[t] = v; __syncwarp();
    v += data[t + 16]; __syncwarp(); data[t] = v; __syncwarp();
    v += data[t + 8]; __syncwarp(); data[t] = v; __syncwarp();
    v += data[t + 4]; __syncwarp(); data[t] = v; __syncwarp();
    v += data[t + 2]; __syncwarp(); data[t] = v; __syncwarp();
    v += data[t + 1]; __syncwarp(); data[t] = v;
}
extern "C" __global__ void reduce(const int *in, int *out)
{
    __shared__ int data[256];
    int t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    data[t] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 32; half >>= 1) {
        if (t < half)
            data[t] += data[t + half];
        __syncthreads();
    }
    if (t < 32)
        last_warp(data, t);
    if (t == 0)
        out[blockIdx.x] = data[0];
}
