extern "C" __global__ void largest(const float *in, float *best, int *where, int n)
{
    __shared__ float v[256];
    __shared__ int w[256];
    int t = threadIdx.x;
    float mine = -1e30f;
    int at = -1;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        if (in[i] > mine) {
            mine = in[i];
            at = i;
        }
    v[t] = mine;
    w[t] = at;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h /= 2) {
        if (t < h && v[t + h] > v[t]) {
            v[t] = v[t + h];
            w[t] = w[t + h];
        }
        __syncthreads();
    }
    if (t == 0) {
        best[blockIdx.x] = v[0];
        where[blockIdx.x] = w[0];
    }
}
