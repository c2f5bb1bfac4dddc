extern "C" __global__ void heat(const float *in, float *out, int w, int h, float k)
{
    __shared__ float s[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    if (x >= w || y >= h)
        return;
    s[ty][tx] = in[y * w + x];
    if (threadIdx.x == 0 && x > 0) s[ty][0] = in[y * w + x - 1];
    if (threadIdx.x == 15 && x < w - 1) s[ty][17] = in[y * w + x + 1];
    if (threadIdx.y == 0 && y > 0) s[0][tx] = in[(y - 1) * w + x];
    if (threadIdx.y == 15 && y < h - 1) s[17][tx] = in[(y + 1) * w + x];
    __syncthreads();
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
        float c = s[ty][tx];
        out[y * w + x] = c + k * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4 * c);
    } else
        out[y * w + x] = s[ty][tx];
}
