__constant__ float mask[25];
extern "C" __global__ void convolve(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = x + dx, v = y + dy;
            if (u >= 0 && u < w && v >= 0 && v < h)
                sum += in[v * w + u] * mask[(dy + 2) * 5 + dx + 2];
        }
    out[y * w + x] = sum;
}
