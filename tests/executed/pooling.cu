extern "C" __global__ void max_pool(const float *in, float *out, int *index, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float best = -1e30f;
    int at = 0;
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
            int from = (2 * y + dy) * w + 2 * x + dx;
            if (in[from] > best) {
                best = in[from];
                at = from;
            }
        }
    out[y * (w / 2) + x] = best;
    index[y * (w / 2) + x] = at;
}
extern "C" __global__ void upsample(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sx = x * 0.5f, sy = y * 0.5f;
    int x0 = (int)sx, y0 = (int)sy, x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
    float fx = sx - x0, fy = sy - y0;
    float top = in[y0 * w + x0] * (1 - fx) + in[y0 * w + x1] * fx;
    float bottom = in[y1 * w + x0] * (1 - fx) + in[y1 * w + x1] * fx;
    out[y * 2 * w + x] = top * (1 - fy) + bottom * fy;
}
