// Images: a box filter with a sliding sum, bilinear scaling, grey values of packed pixels, a 3 × 3 median, and indices
// of blocks and threads in three dimensions.

extern "C" __global__ void scene(uchar4 *image, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        image[y * width + x] = make_uchar4(x * 5, y * 7, (x * y) ^ (x + y), 255 - x);
}

extern "C" __global__ void grey(const uchar4 *image, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar4 p = image[i];
        out[i] = (p.x * 77 + p.y * 150 + p.z * 29) >> 8;
    }
}

// A thread a row: the sum slides.
extern "C" __global__ void box_rows(const unsigned char *in, unsigned char *out, int width, int height, int radius)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height)
        return;
    const unsigned char *row = in + y * width;
    int sum = row[0] * (radius + 1), size = 2 * radius + 1;
    for (int x = 0; x < radius; x++)
        sum += row[min(x, width - 1)];
    for (int x = 0; x < width; x++) {
        sum += row[min(x + radius, width - 1)];
        out[y * width + x] = (sum + radius) / size;
        sum -= row[max(x - radius, 0)];
    }
}

extern "C" __global__ void bilinear(const unsigned char *in, int width, int height, unsigned char *out, int to_width, int to_height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= to_width || y >= to_height)
        return;
    float fx = (float)x * (width - 1) / (to_width - 1), fy = (float)y * (height - 1) / (to_height - 1);
    int ix = min((int)fx, width - 2), iy = min((int)fy, height - 2);
    float ax = fx - ix, ay = fy - iy;
    const unsigned char *p = in + iy * width + ix;
    float top = p[0] + ax * (p[1] - p[0]), bottom = p[width] + ax * (p[width + 1] - p[width]);
    out[y * to_width + x] = (unsigned char)(top + ay * (bottom - top) + 0.5f);
}

extern "C" __global__ void median(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int v[9], n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            v[n++] = in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = i + 1; j < 9; j++) {
            int low = min(v[i], v[j]);
            v[j] = max(v[i], v[j]);
            v[i] = low;
        }
    out[y * width + x] = v[4];
}

extern "C" __global__ void where(unsigned *out)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] =
        blockIdx.x | blockIdx.y << 3 | blockIdx.z << 6 | threadIdx.x << 9 | threadIdx.y << 13 | threadIdx.z << 17 | gridDim.y << 21;
}
