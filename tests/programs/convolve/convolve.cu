// Filters of pictures: a separable convolution with its kernel in constant memory, Sobel on four bytes a pixel, a
// bilateral filter, a median by a sorting network, bilinear resizing, and a summed-area table.

__constant__ float taps[9];

template <int Radius> struct Rows {
    static __device__ float at(const float *tile, int i)
    {
        float sum = 0;
#pragma unroll
        for (int k = -Radius; k <= Radius; k++)
            sum += taps[Radius + k] * tile[i + k];
        return sum;
    }
};

extern "C" __global__ void rows(const float *in, float *out, int width, int height)
{
    __shared__ float tile[4][32 + 8];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    for (int i = threadIdx.x; i < 40; i += 32) {
        int from = min(max((int)blockIdx.x * 32 + i - 4, 0), width - 1);
        tile[threadIdx.y][i] = y < height ? in[y * width + from] : 0;
    }
    __syncthreads();
    if (x < width && y < height)
        out[y * width + x] = Rows<4>::at(tile[threadIdx.y], threadIdx.x + 4);
}

extern "C" __global__ void columns(const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width)
        return;
    float window[9];
#pragma unroll
    for (int k = 0; k < 9; k++)
        window[k] = __ldg(in + min(max(k - 5, 0), height - 1) * width + x);
    for (int y = 0; y < height; y++) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            window[k] = window[k + 1];
        window[8] = __ldg(in + min(y + 4, height - 1) * width + x);
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 9; k++)
            sum += taps[k] * window[k];
        out[y * width + x] = sum;
    }
}

__device__ int luma(uchar4 p) { return (77 * p.x + 150 * p.y + 29 * p.z) >> 8; }

extern "C" __global__ void sobel(const uchar4 *in, uchar4 *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int around[3][3];
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            around[dy + 1][dx + 1] = luma(in[(y + dy + height) % height * width + (x + dx + width) % width]);
    int gx = around[0][2] + 2 * around[1][2] + around[2][2] - around[0][0] - 2 * around[1][0] - around[2][0];
    int gy = around[2][0] + 2 * around[2][1] + around[2][2] - around[0][0] - 2 * around[0][1] - around[0][2];
    unsigned char edge = (unsigned char)min(255, abs(gx) + abs(gy));
    uchar4 p = in[y * width + x];
    out[y * width + x] = make_uchar4(edge, p.x / 2 + edge / 2, (unsigned char)(gx & 255), p.w | 1);
}

extern "C" __global__ void bilateral(const float *in, float *out, int width, int height, float space, float range)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float here = in[y * width + x], sum = 0, weights = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int i = x + dx, j = y + dy;
            if (i < 0 || j < 0 || i >= width || j >= height)
                continue;
            float v = in[j * width + i], d = v - here;
            float w = expf(-(dx * dx + dy * dy) * space - d * d * range);
            sum += w * v;
            weights += w;
        }
    out[y * width + x] = sum / weights;
}

template <typename T> __device__ void order(T &a, T &b)
{
    T low = min(a, b);
    b = max(a, b);
    a = low;
}

extern "C" __global__ void median(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int v[9], k = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            v[k++] = in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
    order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]), order(v[0], v[1]), order(v[3], v[4]), order(v[6], v[7]);
    order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]), order(v[0], v[3]), order(v[5], v[8]), order(v[4], v[7]);
    order(v[3], v[6]), order(v[1], v[4]), order(v[2], v[5]), order(v[4], v[7]), order(v[4], v[2]), order(v[6], v[4]);
    order(v[4], v[2]);
    out[y * width + x] = (unsigned char)v[4];
}

extern "C" __global__ void resize(const uchar4 *in, float4 *out, int width, int height, int new_width, int new_height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= new_width || y >= new_height)
        return;
    float u = (x + 0.5f) * width / new_width - 0.5f, v = (y + 0.5f) * height / new_height - 0.5f;
    int i = (int)floorf(u), j = (int)floorf(v);
    float a = u - i, b = v - j;
    auto at = [&](int i, int j) {
        uchar4 p = in[min(max(j, 0), height - 1) * width + min(max(i, 0), width - 1)];
        return make_float4(p.x, p.y, p.z, p.w);
    };
    auto mix = [](float4 p, float4 q, float t) {
        return make_float4(p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z), p.w + t * (q.w - p.w));
    };
    out[y * new_width + x] = mix(mix(at(i, j), at(i + 1, j), a), mix(at(i, j + 1), at(i + 1, j + 1), a), b);
}

// Prefix sums along rows, then along columns; one block.
extern "C" __global__ void summed(const unsigned char *in, unsigned *out, int width, int height)
{
    if (threadIdx.x < height) {
        unsigned sum = 0;
        for (int x = 0; x < width; x++)
            out[threadIdx.x * width + x] = sum += in[threadIdx.x * width + x];
    }
    __syncthreads();
    if (threadIdx.x < width)
        for (int y = 1; y < height; y++)
            out[y * width + threadIdx.x] += out[(y - 1) * width + threadIdx.x];
}
