__constant__ float weights[17];
extern "C" __global__ void rows(const float *in, float *out, int w, int radius)
{
    __shared__ float line[64 + 16];
    int x = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y * w;
    for (int i = threadIdx.x; i < 64 + 2 * radius; i += 64) {
        int from = blockIdx.x * 64 + i - radius;
        line[i] = from >= 0 && from < w ? in[row + from] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * radius; k++)
        sum += line[threadIdx.x + k] * weights[k];
    out[row + x] = sum;
}
